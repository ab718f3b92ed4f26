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

/** Modes that say how safe a connection to another machine is: the server is verified, or the network is trusted. */
const DECIDED = ["verify-full", "disable"];

/**
 * The mistake of a URL by which another machine could take the server's place, and the password; none where the
 * server is on this machine.
 */
export function openToOthers(
  url: string,
): { readonly message: string; readonly help: string } | undefined {
  const { hostname, searchParams } = new URL(url);
  const mode = searchParams.get("sslmode");
  if (isOnThisMachine(searchParams.getAll("host").at(-1) ?? hostname)) return undefined;
  if (mode !== null && DECIDED.includes(mode)) return undefined;
  return {
    message:
      mode === null
        ? "the database is on another machine, and the URL has no sslmode: any server in its place would get the password"
        : `sslmode=${mode} does not verify that the server is ${hostname}: any server in its place would get the password`,
    help: "add sslmode=verify-full, with sslrootcert=FILE for a certificate of your own; or sslmode=disable where the network is yours alone",
  };
}

/**
 * Whether the server of a URL may ask for the password itself: the server is verified, or on this machine. Any other one
 * has to prove by SCRAM that it knows the password.
 */
export function mayAskForPassword(url: string): boolean {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.getAll("host").at(-1) ?? hostname;
  return isOnThisMachine(host) || searchParams.get("sslmode") === "verify-full";
}

/** A loopback address, or the folder of a Unix socket. */
function isOnThisMachine(host: string): boolean {
  return /^(?:$|\/|%2F|localhost$|127(?:\.\d{1,3}){3}$|\[?::1\]?$)/i.test(host);
}
