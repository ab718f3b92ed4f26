-- The database of several machines: OWNER_PASSWORD=… BOT_PASSWORD=… psql -U postgres -v ON_ERROR_STOP=1 -f roles.sql
-- The owner makes the tables and brings them up; receivers and workers only read and write them.
\getenv owner_password OWNER_PASSWORD
\getenv password BOT_PASSWORD
CREATE ROLE answerback_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE answerback LOGIN PASSWORD :'password';
CREATE DATABASE answerback OWNER answerback_owner;
REVOKE ALL ON DATABASE answerback FROM PUBLIC;
GRANT CONNECT ON DATABASE answerback TO answerback;
\connect answerback
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA answerback AUTHORIZATION answerback_owner;
ALTER ROLE answerback_owner IN DATABASE answerback SET search_path = answerback;
ALTER ROLE answerback IN DATABASE answerback SET search_path = answerback;
GRANT USAGE ON SCHEMA answerback TO answerback;
ALTER DEFAULT PRIVILEGES FOR ROLE answerback_owner IN SCHEMA answerback
  GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO answerback;
ALTER DEFAULT PRIVILEGES FOR ROLE answerback_owner IN SCHEMA answerback
  GRANT USAGE, SELECT ON SEQUENCES TO answerback;
