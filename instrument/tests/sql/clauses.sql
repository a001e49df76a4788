SELECT * FROM book WHERE id = 3
SELECT * FROM book WHERE id = 99
SELECT * FROM book WHERE id <> 1
SELECT * FROM book WHERE id != 1
SELECT * FROM book WHERE id < 1
SELECT * FROM book WHERE id > 4
SELECT * FROM book WHERE id >= 4
SELECT * FROM book WHERE id <= 0
SELECT * FROM book WHERE price = 9.5
SELECT * FROM book WHERE price > 100
SELECT * FROM book WHERE price < 1.25
SELECT * FROM book WHERE price >= 50.0
SELECT * FROM book WHERE price <> 9.5
SELECT * FROM book WHERE pages = 300
SELECT * FROM book WHERE pages = '300'
SELECT * FROM book WHERE pages > '250'
SELECT * FROM book WHERE title = 'Dune'
SELECT * FROM book WHERE title = 'dune'
SELECT * FROM book WHERE title <> 'Dune'
SELECT * FROM book WHERE title > 'M'
SELECT * FROM book WHERE title < 'A'
SELECT * FROM book WHERE title >= 'Zorro'
SELECT * FROM book WHERE title <= 'Aaa'
SELECT * FROM book WHERE lang = 'en'
SELECT * FROM book WHERE lang = 'EN'
SELECT * FROM book WHERE lang = 'de'
SELECT * FROM book WHERE published = '1965-08-01'
SELECT * FROM book WHERE published > '2020-01-01'
SELECT * FROM book WHERE published < '1900-12-31'
SELECT * FROM book WHERE published >= '1965-08-01 00:00:00'
SELECT * FROM book WHERE in_print = 1
SELECT * FROM book WHERE in_print = 0
SELECT * FROM book WHERE in_print = TRUE
SELECT * FROM book WHERE in_print
SELECT * FROM book WHERE NOT in_print
SELECT * FROM book WHERE 3 = id
SELECT * FROM book WHERE 100 < price
SELECT * FROM book WHERE id = id
SELECT * FROM book WHERE price = pages
SELECT * FROM book WHERE pages + 1 = 301
SELECT * FROM book WHERE price * 2 > pages
SELECT * FROM book WHERE length(title) = 4
SELECT * FROM book WHERE lower(title) = 'dune'
SELECT * FROM book WHERE upper(lang) = 'EN'
SELECT * FROM book WHERE abs(price) < 2
SELECT * FROM book WHERE id % 2 = 0
SELECT * FROM book WHERE coalesce(pages, 0) = 0
SELECT * FROM book WHERE substr(title, 1, 1) = 'D'
SELECT * FROM book WHERE -price < -20
SELECT * FROM book WHERE price - 9.5 = 0
SELECT * FROM book WHERE id = 1 AND title = 'Dune'
SELECT * FROM book WHERE id = 2 AND title = 'Dune'
SELECT * FROM book WHERE id = 1 OR id = 99
SELECT * FROM book WHERE id = 98 OR id = 99
SELECT * FROM book WHERE NOT id = 1
SELECT * FROM book WHERE NOT (id = 1 AND price > 5)
SELECT * FROM book WHERE NOT (id = 1 OR price > 5)
SELECT * FROM book WHERE NOT NOT id = 1
SELECT * FROM book WHERE id = 1 AND price > 5 AND pages > 100
SELECT * FROM book WHERE id = 1 AND (price > 500 OR pages > 100)
SELECT * FROM book WHERE (id = 1 OR id = 2) AND (lang = 'en' OR lang = 'fr')
SELECT * FROM book WHERE NOT (price > 5 AND NOT pages IS NULL)
SELECT * FROM book WHERE id > 0 AND id < 1
SELECT * FROM book WHERE id > 2 AND id < 4
SELECT * FROM book WHERE price > 5 OR NULL
SELECT * FROM book WHERE price > 5 AND NULL
SELECT * FROM book WHERE NOT NULL
SELECT * FROM book WHERE NULL
SELECT * FROM book WHERE 1
SELECT * FROM book WHERE 0
SELECT * FROM book WHERE 1 = 1
SELECT * FROM book WHERE 1 = 2
SELECT * FROM book WHERE NOT (NULL AND id = 1)
SELECT * FROM book WHERE NOT (pages > 10)
SELECT * FROM book WHERE pages > 10 OR pages <= 10
SELECT * FROM book WHERE NOT (pages = pages)
SELECT * FROM book WHERE lang = 'en' AND NOT (in_print = 1)
SELECT * FROM book WHERE ((id = 5))
SELECT * FROM book WHERE id = 1 AND id = 2
SELECT * FROM book WHERE NOT (id <> 3)
SELECT * FROM book WHERE id IN (1, 2, 3)
SELECT * FROM book WHERE id IN (97, 98)
SELECT * FROM book WHERE id NOT IN (1, 2)
SELECT * FROM book WHERE id NOT IN (1, 2, 3, 4, 5, 6, 7, 8)
SELECT * FROM book WHERE lang IN ('en', 'fr')
SELECT * FROM book WHERE lang IN ('xx')
SELECT * FROM book WHERE lang NOT IN ('en', 'fr', 'de')
SELECT * FROM book WHERE pages IN (NULL, 300)
SELECT * FROM book WHERE pages NOT IN (NULL, 300)
SELECT * FROM book WHERE pages IN (NULL)
SELECT * FROM book WHERE title IN ('Dune', 'Emma')
SELECT * FROM book WHERE title NOT IN ('Dune')
SELECT * FROM book WHERE NOT id IN (1, 2, 3)
SELECT * FROM book WHERE NOT (lang NOT IN ('en'))
SELECT * FROM book WHERE id IN (1)
SELECT * FROM book WHERE id + 1 IN (2, 99)
SELECT * FROM book WHERE id IN ()
SELECT * FROM book WHERE price IN (9.5, '1.25')
SELECT * FROM book WHERE (id) IN (3)
SELECT * FROM book WHERE in_print IN (TRUE)
SELECT * FROM book WHERE id BETWEEN 2 AND 3
SELECT * FROM book WHERE id BETWEEN 50 AND 60
SELECT * FROM book WHERE id NOT BETWEEN 1 AND 100
SELECT * FROM book WHERE id NOT BETWEEN 2 AND 3
SELECT * FROM book WHERE price BETWEEN 1.0 AND 2.0
SELECT * FROM book WHERE price NOT BETWEEN 0 AND 1000
SELECT * FROM book WHERE title BETWEEN 'A' AND 'F'
SELECT * FROM book WHERE title BETWEEN 'X' AND 'Y'
SELECT * FROM book WHERE published BETWEEN '1960-01-01' AND '1969-12-31'
SELECT * FROM book WHERE published BETWEEN '2030-01-01' AND '2031-01-01'
SELECT * FROM book WHERE pages BETWEEN 1 AND NULL
SELECT * FROM book WHERE pages NOT BETWEEN 100 AND 200
SELECT * FROM book WHERE NOT id BETWEEN 1 AND 100
SELECT * FROM book WHERE id BETWEEN 3 AND 2
SELECT * FROM book WHERE 10 BETWEEN price AND pages
SELECT * FROM book WHERE title LIKE 'D%'
SELECT * FROM book WHERE title LIKE 'd%'
SELECT * FROM book WHERE title LIKE 'Q%'
SELECT * FROM book WHERE title LIKE '%une'
SELECT * FROM book WHERE title LIKE '%xyz%'
SELECT * FROM book WHERE title LIKE '____'
SELECT * FROM book WHERE title LIKE '_'
SELECT * FROM book WHERE title NOT LIKE 'D%'
SELECT * FROM book WHERE title NOT LIKE '%'
SELECT * FROM book WHERE title LIKE '%\_%' ESCAPE '\'
SELECT * FROM book WHERE title LIKE '50!%%' ESCAPE '!'
SELECT * FROM book WHERE title LIKE ''
SELECT * FROM book WHERE title LIKE '%'
SELECT * FROM book WHERE NOT title LIKE 'D%'
SELECT * FROM book WHERE lang LIKE 'e_'
SELECT * FROM book WHERE title LIKE 'D%e'
SELECT * FROM book WHERE title LIKE NULL
SELECT * FROM book WHERE pages LIKE '3%'
SELECT * FROM book WHERE title LIKE lang || '%'
SELECT * FROM book WHERE title LIKE '%' || 'mm' || '%'
SELECT * FROM book WHERE pages IS NULL
SELECT * FROM book WHERE pages IS NOT NULL
SELECT * FROM book WHERE title IS NULL
SELECT * FROM book WHERE id IS NULL
SELECT * FROM book WHERE pages = NULL
SELECT * FROM book WHERE pages <> NULL
SELECT * FROM book WHERE NOT pages IS NULL
SELECT * FROM book WHERE NOT (pages IS NOT NULL)
SELECT * FROM book WHERE pages IS NULL AND price > 5
SELECT * FROM book WHERE author_id IS NULL
SELECT * FROM book WHERE author_id IS NULL OR author_id = 1
SELECT * FROM book WHERE pages IS NULL AND pages IS NOT NULL
SELECT * FROM book JOIN author ON author.id = book.author_id WHERE author.name = 'Herbert'
SELECT * FROM book b INNER JOIN author a ON a.id = b.author_id WHERE a.name = 'Nobody'
SELECT * FROM book b, author a WHERE a.id = b.author_id AND a.country = 'US'
SELECT * FROM book b, author a WHERE a.id = b.author_id AND a.country = 'XX'
SELECT * FROM book LEFT JOIN author ON author.id = book.author_id WHERE author.id IS NULL
SELECT * FROM book LEFT JOIN author ON author.id = book.author_id WHERE author.name = 'Austen'
SELECT * FROM book LEFT JOIN loan ON loan.book_id = book.id WHERE loan.book_id IS NULL AND book.id > 1
SELECT * FROM loan l JOIN book b ON b.id = l.book_id JOIN author a ON a.id = b.author_id WHERE a.name = 'Herbert' AND l.member = 'ann'
SELECT * FROM loan l JOIN book b ON b.id = l.book_id JOIN author a ON a.id = b.author_id WHERE a.name = 'Austen' AND l.member = 'zoe'
SELECT * FROM book b1 JOIN book b2 ON b1.price = b2.price WHERE b1.id < b2.id
SELECT * FROM book b1 JOIN book b2 ON b1.author_id = b2.author_id AND b1.id <> b2.id
SELECT * FROM book JOIN author USING (id) WHERE name = 'Herbert'
SELECT * FROM book CROSS JOIN author WHERE book.id = 3 AND author.id = 2
SELECT * FROM book JOIN author
SELECT * FROM author LEFT JOIN book ON book.author_id = author.id AND book.price > 100 WHERE book.id IS NOT NULL
SELECT a.name, count(*) FROM book b JOIN author a ON a.id = b.author_id WHERE b.price > 1000 GROUP BY a.name
SELECT DISTINCT b.title FROM book b JOIN loan l ON l.book_id = b.id WHERE l.returned = 0 ORDER BY b.title LIMIT 3
SELECT * FROM book WHERE author_id IN (SELECT id FROM author WHERE country = 'US')
SELECT * FROM book WHERE author_id IN (SELECT id FROM author WHERE country = 'XX')
SELECT * FROM book WHERE author_id NOT IN (SELECT id FROM author WHERE country = 'US')
SELECT * FROM book WHERE author_id NOT IN (SELECT author_id FROM book)
SELECT * FROM book WHERE EXISTS (SELECT 1 FROM loan WHERE loan.book_id = book.id)
SELECT * FROM book WHERE NOT EXISTS (SELECT 1 FROM loan WHERE loan.book_id = book.id)
SELECT * FROM book WHERE EXISTS (SELECT 1 FROM loan WHERE loan.book_id = book.id AND member = 'nobody')
SELECT * FROM book WHERE price > (SELECT avg(price) FROM book)
SELECT * FROM book WHERE price > (SELECT max(price) FROM book)
SELECT * FROM book WHERE price = (SELECT max(price) FROM book)
SELECT * FROM book WHERE id = (SELECT book_id FROM loan WHERE member = 'ann')
SELECT * FROM book WHERE id = (SELECT book_id FROM loan WHERE member = 'zzz')
SELECT * FROM book WHERE id IN (SELECT book_id FROM loan WHERE due < '2020-01-01')
SELECT * FROM author WHERE id IN (SELECT author_id FROM book WHERE id IN (SELECT book_id FROM loan WHERE member = 'bob'))
SELECT * FROM author WHERE NOT (id IN (SELECT author_id FROM book))
SELECT * FROM (SELECT * FROM book WHERE price > 5) AS dear WHERE dear.lang = 'en'
SELECT * FROM (SELECT * FROM book WHERE price > 5000) AS dear WHERE dear.lang = 'en'
WITH dear AS (SELECT * FROM book WHERE price > 5) SELECT * FROM dear WHERE lang = 'fr'
WITH dear AS (SELECT * FROM book WHERE price > 5000) SELECT * FROM dear WHERE lang = 'fr'
SELECT * FROM book WHERE id = 1 UNION SELECT * FROM book WHERE id = 99
SELECT * FROM book WHERE id = 98 UNION ALL SELECT * FROM book WHERE id = 99
SELECT * FROM author a WHERE EXISTS (SELECT 1 FROM book b JOIN loan l ON l.book_id = b.id WHERE b.author_id = a.id AND l.returned = 1)
SELECT * FROM book WHERE (SELECT count(*) FROM loan WHERE loan.book_id = book.id) > 1
SELECT * FROM loan WHERE due = '2026-11-21'
SELECT * FROM loan WHERE due > date('2026-01-01')
SELECT * FROM loan WHERE due < datetime('2000-01-01 10:00:00')
SELECT * FROM loan WHERE strftime('%Y', due) = '2026'
SELECT * FROM loan WHERE strftime('%Y', due) = '1999'
SELECT * FROM loan WHERE julianday(due) - julianday('2026-11-20') > 0
SELECT * FROM loan WHERE due BETWEEN '2026-11-01' AND '2026-11-30' AND returned = 0
SELECT * FROM loan WHERE due >= '2026-11-21 08:00:00' AND due < '2026-11-21 09:00:00'
SELECT * FROM loan WHERE NOT due < '2030-01-01'
SELECT * FROM loan
SELECT count(*) FROM loan
SELECT * FROM loan WHERE due IS NULL OR due = ''
SELECT * FROM book WHERE CASE WHEN price > 10 THEN 1 ELSE 0 END = 1
SELECT * FROM book WHERE title || lang = 'Duneen'
SELECT * FROM book WHERE iif(price > 10, 'a', 'b') = 'a'
SELECT * FROM book WHERE title COLLATE NOCASE = 'DUNE'
SELECT * FROM book WHERE CAST(pages AS TEXT) = '300'
SELECT * FROM book WHERE title = 'It''s; a -- trap'
SELECT * FROM "book" WHERE "title" = 'Dune' AND [id] = 1
SELECT * FROM main.book AS x WHERE x.id = 1
SELECT * FROM book WHERE (id, price) = (1, 9.5)
SELECT * FROM book WHERE id = 1 ORDER BY (SELECT 1) LIMIT 1 OFFSET 5
SELECT * FROM book WHERE price IS 9.5
SELECT * FROM book WHERE title GLOB 'D*'
SELECT * FROM book WHERE max(price, 1) > 20
SELECT * FROM book WHERE id = 9223372036854775807
SELECT * FROM book WHERE price > 1e300
SELECT * FROM book WHERE title = '日本'
