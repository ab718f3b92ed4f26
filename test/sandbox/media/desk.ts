import { signed, stage, type Stage, type Told } from "../support/stage.ts";

/** A user of an app who uploads. The clock stands still. */
export interface Desk {
  readonly stage: Stage;
  /** A signed request with a JSON body. */
  json(method: string, path: string, body?: unknown): Promise<Told>;
  /** A signed request with a multipart body; buffers become files. */
  multipart(path: string, fields: Readonly<Record<string, string | Buffer>>): Promise<Told>;
  /** A signed request with a form, whose fields are signed too. */
  form(path: string, fields: Readonly<Record<string, string>>): Promise<Told>;
}

/** A picture of one pixel. */
export const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A GIF of one pixel. */
export const GIF = Buffer.from("R0lGODlhAQABAIAAAAUEBAAAACwAAAAAAQABAAACAkQBADs=", "base64");

/** When these tests happen. */
export const NOW = Date.parse("2026-03-31T12:00:00.000Z");

export async function desk(appSpec: Readonly<Record<string, unknown>> = {}): Promise<Desk> {
  const at = await stage({ clock: { now: NOW, frozen: true } }, appSpec);
  const { sandbox, app, bot } = at;
  const post = async (
    path: string,
    body: FormData | URLSearchParams,
    data: Record<string, string> = {},
  ): Promise<Told> => {
    const url = sandbox.url + path;
    const tokens = await sandbox.control.tokens(bot, app.app_id);
    const authorization = signed(app, tokens, "POST", url, data);
    const answer = await fetch(url, { method: "POST", headers: { authorization }, body });
    const told: unknown = await answer.json();
    return { status: answer.status, headers: answer.headers, body: { ...Object(told) } };
  };
  return {
    stage: at,
    json: (method, path, body) => at.asBot(method, path, body),
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

/** `data` of an answer. */
export function dataOf({ body }: Told): Record<string, unknown> {
  return { ...Object(body["data"]) };
}
