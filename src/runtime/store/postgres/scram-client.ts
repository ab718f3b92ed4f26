import pg from "pg";

/** Message for a server that requests the password in clear text or as an MD5 hash, which is as weak as clear text. */
const REFUSED =
  "the server asks for the password itself, and it is not verified: any server in its place could ask. " +
  "Have the server use scram-sha-256 (pg_hba.conf, password_encryption), or add sslmode=verify-full";

/** Client that authenticates by SCRAM only, as libpq does with `require_auth=scram-sha-256`. */
export class ScramClient extends pg.Client {
  /** Called by the package `pg`, whose types omit this method. */
  protected _handleAuthCleartextPassword(): void {
    this.#refuse();
  }

  /** Called by the package `pg`, whose types omit this method. */
  protected _handleAuthMD5Password(): void {
    this.#refuse();
  }

  #refuse(): void {
    const { connection }: { connection?: { stream: { destroy(error: Error): void } } } =
      Object(this);
    connection?.stream.destroy(Object.assign(new Error(REFUSED), { code: "28000" }));
  }
}
