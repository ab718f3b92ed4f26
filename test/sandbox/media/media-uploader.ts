import {
  read,
  signed,
  startTestSandbox,
  type TestSandbox,
  type ApiResponse,
} from "../support/test-sandbox.ts";

/** A user of an app who uploads media, on a frozen clock. */
export interface MediaUploader {
  readonly fixture: TestSandbox;
  /** Sends a signed request with a JSON body. */
  json(method: string, path: string, body?: unknown): Promise<ApiResponse>;
  /** Sends a signed request with a multipart body; buffers become files. */
  multipart(path: string, fields: Readonly<Record<string, string | Buffer>>): Promise<ApiResponse>;
  /** Sends a signed request with a form, whose fields are signed too. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<ApiResponse>;
}

/** A picture of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A GIF of one pixel. */
export const GIF = Buffer.from("R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=", "base64");

/** Time of these tests. */
export const NOW = Date.parse("2026-03-31T12:00:00.000Z");

export async function startMediaUploader(
  appSpec: Readonly<Record<string, unknown>> = {},
): Promise<MediaUploader> {
  const fixture = await startTestSandbox({ clock: { now: NOW, frozen: true } }, appSpec);
  const { sandbox, app, bot } = fixture;
  const post = async (
    path: string,
    body: FormData | URLSearchParams,
    data: Record<string, string> = {},
  ): Promise<ApiResponse> => {
    const url = sandbox.url + path;
    const tokens = await sandbox.control.tokens(bot, app.app_id);
    const authorization = signed(app, tokens, "POST", url, data);
    return read(await fetch(url, { method: "POST", headers: { authorization }, body }));
  };
  return {
    fixture: fixture,
    json: (method, path, body) => fixture.asBot(method, path, body),
    multipart(path, fields) {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === "string") body.append(name, value);
        else body.append(name, new Blob([new Uint8Array(value)]), "file");
      }
      return post(path, body);
    },
    form: (path, fields) => post(path, new URLSearchParams(fields), { ...fields }),
  };
}

/** Returns `data` of a response. */
export function dataOf({ body }: ApiResponse): Record<string, unknown> {
  return { ...Object(body["data"]) };
}
