/** Scheme of a PostgreSQL store: `postgres://user@host:5432/name`. */
const SCHEME = /^postgres(ql)?:\/\//;

/** Whether a text has the scheme of a PostgreSQL store; the rest of the text may be invalid. */
export function isPostgresUrl(text: string): boolean {
  return SCHEME.test(text);
}

/** Passwords of a URL, both decoded and as written; empty if it has none. */
export function passwordsIn(url: string): readonly string[] {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const written = parsed?.password ?? "";
  const parameterPasswords = parsed?.searchParams.getAll("password") ?? [];
  return [written, decoded(written), ...parameterPasswords].filter((one) => one !== "");
}

/** URL for display: without password and driver-only parameters. */
export function shownUrl(url: string): string {
  if (!isPostgresUrl(url)) return url;
  if (!URL.canParse(url)) return "postgres://…";
  const shown = new URL(url);
  shown.password = "";
  for (const name of ["password", LIBPQ]) shown.searchParams.delete(name);
  return shown.href;
}

/** Parameter that makes the driver interpret `sslmode` like PostgreSQL's own tools. */
const LIBPQ = "uselibpqcompat";

/**
 * URL for the driver: `sslmode` has the meaning of PostgreSQL's own tools, and the password is included.
 *
 * @param password Password from the environment, for a URL without one. If absent, the driver reads `~/.pgpass`.
 */
export function driverUrl(url: string, password: string | undefined): string {
  const parsedUrl = new URL(url);
  if (password !== undefined && password !== "" && passwordsIn(url).length === 0) {
    // a socket URL has no host, so the password must be a parameter
    if (parsedUrl.hostname === "") parsedUrl.searchParams.set("password", password);
    else parsedUrl.password = encodeURIComponent(password);
  }
  if (parsedUrl.searchParams.has("sslmode")) parsedUrl.searchParams.set(LIBPQ, "true");
  // the driver trusts the machine's certificates by default, so `system` needs no parameter
  if (parsedUrl.searchParams.get("sslrootcert") === "system")
    parsedUrl.searchParams.delete("sslrootcert");
  return parsedUrl.href;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Values of `sslmode` that are accepted for a server on another machine: it is verified, or the operator trusts the
 * network.
 */
const DECIDED = ["verify-full", "disable"];

/**
 * Error for a URL that lets an impostor of the server receive the password. Undefined if the server is on this machine,
 * or `sslmode` is one of {@link DECIDED}.
 */
export function openToOthers(
  url: string,
): { readonly message: string; readonly help: string } | undefined {
  const parsedUrl = new URL(url);
  const hostname = hostOf(parsedUrl);
  const mode = parsedUrl.searchParams.get("sslmode");
  if (isOnThisMachine(hostname)) return undefined;
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
 * Whether the URL's server may receive the password itself: the server is verified, or on this machine. Any other
 * server must prove by SCRAM that it knows the password.
 */
export function mayAskForPassword(url: string): boolean {
  const parsedUrl = new URL(url);
  const mode = parsedUrl.searchParams.get("sslmode");
  return isOnThisMachine(hostOf(parsedUrl)) || mode === "verify-full";
}

/** Host to which the driver connects. For a URL without a host, the driver reads the variable `PGHOST`. */
function hostOf({ hostname, searchParams }: URL): string {
  const host = searchParams.getAll("host").at(-1) ?? hostname;
  return host === "" ? (process.env["PGHOST"] ?? "") : host;
}

/** Whether a host is a loopback address or the folder of a Unix socket. */
function isOnThisMachine(host: string): boolean {
  return /^(?:$|\/|%2F|localhost$|127(?:\.\d{1,3}){3}$|\[?::1\]?$)/i.test(host);
}
