/** What names a PostgreSQL store: `postgres://user@host:5432/name`. */
const SCHEME = /^postgres(ql)?:\/\//;

/** Whether a text names a PostgreSQL store, well or badly. */
export function isPostgresUrl(text: string): boolean {
  return SCHEME.test(text);
}

/** The password that a URL has, as it is given to the server, and the same as it is written; none: nothing. */
export function passwordsIn(url: string): readonly string[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const written = parsed?.password ?? "";
  const asked = parsed?.searchParams.getAll("password") ?? [];
  return [written, decoded(written), ...asked].filter((one) => one !== "");
}

/** A URL as people may see it: without its password, and without what is for the driver only. */
export function shownUrl(url: string): string {
  if (!isPostgresUrl(url)) return url;
  if (!URL.canParse(url)) return "postgres://…";
  const shown = new URL(url);
  shown.password = "";
  for (const name of ["password", LIBPQ]) shown.searchParams.delete(name);
  return shown.href;
}

/** Has the driver read `sslmode` as PostgreSQL's own tools do. */
const LIBPQ = "uselibpqcompat";

/**
 * The URL as the driver takes it: `sslmode` means what it means to PostgreSQL's own tools, and the password is there.
 *
 * @param password Of the environment, for a URL that has none; absent: the driver looks for it in `~/.pgpass`.
 */
export function driverUrl(url: string, password: string | undefined): string {
  const given = new URL(url);
  if (password !== undefined && password !== "" && passwordsIn(url).length === 0) {
    // a URL without a host, for a socket, has no place for it but among the parameters
    if (given.hostname === "") given.searchParams.set("password", password);
    else given.password = encodeURIComponent(password);
  }
  if (given.searchParams.has("sslmode")) given.searchParams.set(LIBPQ, "true");
  // what the machine trusts is what the driver trusts unless told otherwise
  if (given.searchParams.get("sslrootcert") === "system") given.searchParams.delete("sslrootcert");
  return given.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
