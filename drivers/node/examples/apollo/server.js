// npm install && wallace node --calls 2000 -- npm start
import { ApolloServer } from "@apollo/server";
import { startStandaloneServer } from "@apollo/server/standalone";

const typeDefs = `
  type Book { title: String!, year: Int!, age(in: Int!): Int! }
  type Query { books(title: String, before: Int): [Book!]! }
  type Mutation { addBook(title: String!, year: Int!): Book! }
`;
const books = [{ title: "Emma", year: 1815 }];

const resolvers = {
  Query: {
    books: (_, { title, before }) =>
      books.filter((book) => (!title || book.title === title) && (!before || book.year < before)),
  },
  Mutation: {
    addBook: (_, book) => {
      if (book.year < 1450) throw new Error("there was no press");
      books.push(book);
      return book;
    },
  },
  // A fault to be found: a number that is none.
  Book: { age: (book, { in: year }) => (year >= book.year ? year - book.year : Number.NaN) },
};

const server = new ApolloServer({ typeDefs, resolvers });
await startStandaloneServer(server, { listen: { port: 4000 } });
