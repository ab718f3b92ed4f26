/** An error response of the control interface, with its `status` and `code`. */
export class ControlError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "ControlError";
    this.status = status;
    this.code = code;
  }
}

/** A developer app's credentials, as `POST /_sandbox/apps` returns them. */
export interface AppCredentials {
  readonly app_id: string;
  readonly consumer_key: string;
  readonly consumer_secret: string;
  readonly bearer_token: string;
  readonly client_id: string;
  readonly client_secret?: string;
}

/** A user's OAuth 1.0a token for one app. */
export interface UserTokens {
  readonly access_token: string;
  readonly access_token_secret: string;
}

/** A small client of the control interface. */
export class ControlClient {
  /** Ends in `/_sandbox`. */
  readonly url: string;
  readonly token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** Sends a GET; `T` is not checked. @throws {ControlError} for an error response. */
  get<T = unknown>(path: string): Promise<T> {
    return this.call<T>("GET", path);
  }

  /** Sends a POST with a JSON body. @throws {ControlError} for an error response. */
  post<T = unknown>(path: string, body: unknown = {}): Promise<T> {
    return this.call<T>("POST", path, body);
  }

  /** @throws {ControlError} for an error response. */
  async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const received: unknown = await answer.json();
    if (!answer.ok) throw errorOf(answer.status, received);
    return received as T;
  }

  /** Creates an app; an enterprise project is created with it unless one is named. */
  app(spec: Readonly<Record<string, unknown>> = {}): Promise<AppCredentials> {
    return this.post("/apps", {
      name: "test app",
      permission_level: "read-write-directmessages",
      callback_urls: [],
      ...spec,
    });
  }

  /** Creates a user and returns its id. */
  async user(username: string, spec: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const made = await this.post<{ user: { id: string } }>("/users", {
      username,
      name: username,
      ...spec,
    });
    return made.user.id;
  }

  /** Tokens of a user for an app: the log-in's result without the pages. */
  tokens(userId: string, appId: string): Promise<UserTokens> {
    return this.post(`/users/${userId}/tokens`, { app_id: appId });
  }

  /** Acts as a user; returns the id of what was created. */
  act(userId: string, what: Readonly<Record<string, unknown>>): Promise<{ id: string }> {
    return this.post(`/users/${userId}/act`, what);
  }

  /** Maps a public webhook host to a server on this machine. */
  host(host: string, target: string): Promise<unknown> {
    return this.call("PUT", `/hosts/${host}`, { target });
  }

  /** Moves the clock on, running what falls due. */
  advance(ms: number): Promise<{ now: string }> {
    return this.post("/clock", { advance_ms: ms });
  }
}

function errorOf(status: number, body: unknown): ControlError {
  const error =
    typeof body === "object" && body !== null && "error" in body ? body.error : undefined;
  const { code, message } = { code: "unknown", message: `status ${status}`, ...Object(error) };
  return new ControlError(status, String(code), String(message));
}
