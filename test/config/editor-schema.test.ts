import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { describe, expect, it, test } from "vitest";
import { stringify } from "yaml";
import { readSettings } from "../../src/config/read-settings.ts";

type Schema = { readonly [key: string]: unknown };

const url = new URL("../../config/schema/answerback.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(url, "utf8")) as Schema;
const ajv = new Ajv({ strict: false });
formats.default(ajv);
ajv.addSchema(schema, "settings");
const fits = ajv.getSchema("settings")!;

/** Examples of a schema's settings, with the path of the setting. */
function examplesIn(
  of: Schema,
  path: readonly string[] = [],
): { path: string[]; value: unknown }[] {
  const own = (of["examples"] ?? []) as unknown[];
  const inner = Object.entries((of["properties"] ?? {}) as Record<string, Schema>);
  return [
    ...own.map((value) => ({ path: [...path], value })),
    ...inner.flatMap(([key, one]) => examplesIn(one, [...path, key])),
  ];
}

describe("the schema of settings for editors", () => {
  it("accepts each of its own examples", () => {
    const examples = examplesIn(schema);
    const refused = examples.filter(({ path, value }) => {
      const whole = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      const beside = path[0] === "quiet_hours" ? { zone: "Europe/Berlin" } : {};
      const optOut = path[0] === "opt_out" ? { words: ["stop"] } : {};
      const [first = ""] = path;
      const part = (whole as Record<string, unknown>)[first];
      const set = path.length === 1 ? part : { ...beside, ...optOut, ...(part as object) };
      return fits({ version: 1, [first]: set }) !== true;
    });

    expect(examples.length).toBeGreaterThan(40);
    expect(refused).toEqual([]);
  });

  test.each([
    { settings: { store: "${{ env.V }}" }, value: "file:../data" },
    { settings: { target: "${{env.V}}" }, value: "sandbox" },
    { settings: { webhook: { listen: "${{ env.V }}" } }, value: "127.0.0.1:9000" },
    { settings: { webhook: { listen: "127.0.0.1:${{ env.V }}" } }, value: "9000" },
    { settings: { platform: { base_url: "${{ env.V }}" } }, value: "https://api.test" },
    { settings: { accounts: ["${{ env.V }}"] }, value: "shop_bot" },
    { settings: { limits: { replies: "${{ env.V }}" } }, value: "3 in 1m" },
    { settings: { limits: { accounts: { a: { loop: "${{ env.V }}" } } } }, value: "none" },
    { settings: { http: { allow: ["${{ env.V }}"] } }, value: "orders.test" },
    { settings: { http: { allow: ["Orders.test", "[FD00::/8]:80"] } } },
    { settings: { console: { admin_token: "${{ env.V }}" } }, value: "0123456789abcdef" },
    { settings: { accounts: [7] } },
    { settings: { process_name: 42 } },
    { settings: { target: "sandbx" }, isRefused: true },
    { settings: { store: "mysql:x" }, isRefused: true },
    { settings: { webhook: { listen: 8080 } }, isRefused: true },
    { settings: { accounts: ["a b"] }, isRefused: true },
    { settings: { secrets: ["${{ env.V }}"] }, value: "ORDERS", isRefused: true },
    { settings: { log: { files: "${{ env.V }}" } }, value: "3", isRefused: true },
  ])("agrees with check on $settings", ({ settings, value, isRefused = false }) => {
    const text = stringify({ version: 1, ...settings });
    const environment = value === undefined ? {} : { V: value };
    const { problems } = readSettings({ file: "a", text, environment, overrides: [] });

    expect(problems.length > 0).toBe(isRefused);
    expect(fits({ version: 1, ...settings })).toBe(!isRefused);
  });
});
