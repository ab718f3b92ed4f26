import pg from "pg";

/** Sent by a server that wants the password readable, or under MD5, which is as good as readable. */
const REFUSED =
  "the server asks for the password itself, and it is not verified: any server in its place could ask. " +
  "Have the server use scram-sha-256 (pg_hba.conf, password_encryption), or add sslmode=verify-full";

/** A connection that answers no request for the password but SCRAM, as libpq does with `require_auth=scram-sha-256`. */
export class ScramClient extends pg.Client {
  /** Called by the package, whose types leave it out. */
  protected _handleAuthCleartextPassword(): void {
    this.#refuse();
  }

  /** Called by the package, whose types leave it out. */
  protected _handleAuthMD5Password(): void {
    this.#refuse();
  }

  #refuse(): void {
    const { connection }: { connection?: { stream: { destroy(error: Error): void } } } =
      Object(this);
    connection?.stream.destroy(Object.assign(new Error(REFUSED), { code: "28000" }));
  }
}
