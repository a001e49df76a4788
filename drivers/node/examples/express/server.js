// npm install && wallace node --calls 2000 -- npm start
import express from "express";

const app = express();
const orders = new Map();

const text = { type: "string" };
const order = { type: "object", properties: { item: text, amount: { type: "integer" } } };
const body = { content: { "application/json": { schema: order } } };
const id = { name: "id", in: "path", required: true, schema: text };
const responses = { 200: { description: "the order" }, 400: { description: "no order" } };
const paths = {
  "/orders": { post: { requestBody: body, responses } },
  "/orders/{id}": { get: { parameters: [id], responses } },
};
const info = { title: "Orders", version: "1" };

app.use(express.json());
app.get("/openapi.json", (_, response) => response.json({ openapi: "3.0.3", info, paths }));
app.post("/orders", (request, response) => {
  const { item, amount } = request.body ?? {};
  if (item !== "tea" && item !== "coffee") return response.status(400).json({ error: "item" });
  if (amount > 1000) throw new Error("the store is too small"); // A fault to be found.
  orders.set(`${item}-${amount}`, { item, amount });
  response.json({ id: `${item}-${amount}` });
});
app.get("/orders/:id", ({ params }, response) => response.json(orders.get(params.id) ?? null));
app.listen(3000);
