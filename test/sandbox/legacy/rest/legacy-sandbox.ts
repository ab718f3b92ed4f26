import { startDataSandbox, type DataSandbox } from "../../support/data-sandbox.ts";
import { type ApiResponse, read, signed } from "../../support/test-sandbox.ts";

type Fields = Record<string, string>;

/** Test sandbox whose people use version 1.1. */
export interface LegacySandbox extends DataSandbox {
  /** Sends `GET` as a user, or as the app alone. A list in the response becomes an object with the keys 0, 1, …. */
  show(path: string, userId?: string): Promise<ApiResponse>;
  /** Sends a signed form as a user. */
  submit(userId: string, path: string, fields?: Fields): Promise<ApiResponse>;
  /** Sends a signed form as a user, which must succeed; returns the id of the created object. */
  create(userId: string, path: string, fields?: Fields): Promise<string>;
}

export async function startLegacySandbox(): Promise<LegacySandbox> {
  const fixture = await startDataSandbox();
  const { sandbox, app } = fixture;
  const submit: LegacySandbox["submit"] = async (userId, path, fields = {}) => {
    const url = `${sandbox.url}/1.1/${path}`;
    const tokens = await sandbox.control.tokens(userId, app.app_id);
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: signed(app, tokens, "POST", url, fields),
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams(fields).toString(),
    });
    return read(response);
  };
  return {
    ...fixture,
    submit,
    show: (path, userId) =>
      userId === undefined
        ? fixture.asApp("GET", `/1.1/${path}`)
        : fixture.asUser(userId, "GET", `/1.1/${path}`),
    async create(userId, path, fields) {
      const { status, body } = await submit(userId, path, fields);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return String(body["id_str"]);
    },
  };
}

/** Returns the items of a response that is a list. */
export function itemsOf({ body }: ApiResponse): Record<string, unknown>[] {
  return Object.values(body).map((item) => Object(item));
}

/** Returns the ids of the items of a list as strings, in the order of the list. */
export function idsIn(response: ApiResponse): unknown[] {
  return itemsOf(response).map((item) => item["id_str"]);
}
