-- Shop. CREATE TABLE fake (id int);
/* CREATE TABLE fake2 (id int); */
CREATE SCHEMA app;
CREATE EXTENSION IF NOT EXISTS pgcrypto;
CREATE TABLE IF NOT EXISTS app.users (
  id bigint PRIMARY KEY,
  email text NOT NULL UNIQUE,
  mood app.mood DEFAULT make_mood(),
  org_id bigint REFERENCES app.orgs (id),
  FOREIGN KEY (org_id) REFERENCES orgs (id)
);
CREATE TEMPORARY TABLE scratch AS SELECT * FROM app.users;
CREATE TABLE "Quoted Table" (id int);
CREATE TABLE `ticked` (id int, KEY idx (id)) ENGINE=InnoDB;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE TYPE pair AS (a int, b text);
CREATE SEQUENCE order_seq START 1;
CREATE OR REPLACE VIEW active_users AS
SELECT u.id, o.name, row_number() OVER (PARTITION BY o.id)
FROM app.users AS u
JOIN orgs AS o ON o.id = u.org_id
LEFT JOIN (SELECT * FROM nested_one) n ON true
WHERE u.email IS NOT NULL AND EXISTS (SELECT 1 FROM bans);
CREATE MATERIALIZED VIEW daily AS SELECT count(*) FROM active_users;
CREATE INDEX users_email_idx ON app.users (lower(email));
CREATE UNIQUE INDEX CONCURRENTLY users_uq ON users USING btree (id);
CREATE FUNCTION add_one(n int) RETURNS int AS $$
  SELECT n + 1;
$$ LANGUAGE sql;
CREATE OR REPLACE FUNCTION app.touch() RETURNS trigger AS $body$
BEGIN
  INSERT INTO audit_log (msg) VALUES ('x');
  RETURN NEW;
END;
$body$ LANGUAGE plpgsql;
CREATE TRIGGER touch_users BEFORE UPDATE ON app.users FOR EACH ROW EXECUTE FUNCTION app.touch();
CREATE ROLE reader;
ALTER TABLE users ADD COLUMN note text;
ALTER TABLE users ADD CONSTRAINT fk2 FOREIGN KEY (a) REFERENCES other_table (id);
DROP TABLE old_stuff;
WITH recent AS (SELECT * FROM orders), big AS (SELECT * FROM recent)
SELECT * FROM big WHERE total > average(total);
INSERT INTO audit_log (msg) SELECT add_one(1)::text FROM daily;
UPDATE accounts SET balance = balance - 1 FROM ledger WHERE id = 1;
DELETE FROM sessions WHERE true;
MERGE INTO target t USING source s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = 1;
TRUNCATE TABLE logs;
COMMENT ON TABLE users IS 'CREATE TABLE fake3 (id int);';
CREATE TABLE größe (id int);
