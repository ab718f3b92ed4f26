import { expect, it } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import { toSettings } from "../../src/config/settings.ts";
import { settingsFrom } from "../../src/host/runtime-settings.ts";

const absolute = (path: string): string => path;

function fromFile(text: string) {
  const read = readSettings({ file: "a.yaml", text, environment: {}, overrides: [] });
  expect(read.problems).toEqual([]);
  return read.value && toSettings(read.value, { absolute });
}

it("a program can pass the same settings as a file, under the names of the code", () => {
  const file = fromFile(`version: 1
platform: { base_url: "https://api.example.com/", longform: true }
app: { previous_consumer_secret: old }
console: { listen: "127.0.0.1:8081", admin_token: "0123456789abcdef" }
accounts: ["@hello_bot"]
rules: []
bots: []
limits:
  equal_replies: none
  accounts: { "@Shop_Bot": { replies: 300 in 10m, equal_posts: none } }
posts: { third_parties: hold }
opt_out: { words: [stop], back_text: Welcome back. }
quiet_hours:
  zone: Europe/Berlin
  accounts: { shop_bot: { times: ["23:00-08:00"] } }
http: { allow: [orders.example.test] }
secrets: [ORDERS_TOKEN]
bot_limits: { memory_mb: 64 }
store: file:/data
postgres: { statement_timeout: 1m }
process_name: eu-1
`);

  const program = settingsFrom(
    {
      platform: { baseUrl: "https://api.example.com/", longform: true },
      app: { previousConsumerSecret: "old" },
      console: { listen: "127.0.0.1:8081", adminToken: "0123456789abcdef" },
      accounts: ["@hello_bot"],
      limits: {
        equalReplies: "none",
        accounts: { "@Shop_Bot": { replies: "300 in 10m", equalPosts: "none" } },
      },
      posts: { thirdParties: "hold" },
      optOut: { words: ["stop"], backText: "Welcome back." },
      quietHours: {
        zone: "Europe/Berlin",
        accounts: { shop_bot: { times: ["23:00-08:00"] } },
      },
      http: { allow: ["orders.example.test"] },
      secrets: ["ORDERS_TOKEN"],
      botLimits: { memoryMb: 64 },
      postgres: { statementTimeout: "1m" },
      processName: "eu-1",
    },
    "/",
    "/data",
  );

  expect(program).toEqual(file);
  expect(program.botLimits).toEqual({ memoryMb: 64 });
  expect([...program.limits.accounts.keys()]).toEqual(["shop_bot"]);
  expect(program.limits.all).not.toHaveProperty("equalReplies");
});

it("ignores unknown settings, in code without types", () => {
  const overrides = { version: 1, unknown: true, rules: undefined };

  expect(settingsFrom({ target: "sandbox", ...overrides }, "/", "/data")).toEqual(
    settingsFrom({ target: "sandbox" }, "/", "/data"),
  );
});

it.each(["rules", "data", "log"])("refuses %s, which is an option beside the settings", (name) => {
  const overrides = { [name]: ["rules/*.yaml"] };

  expect(() => settingsFrom({ target: "sandbox", ...overrides }, "/", "/data")).toThrow(
    expect.objectContaining({
      name: "ConfigError",
      message: expect.stringContaining(`${name} is an option of openRuntime, beside settings`),
    }),
  );
});

it("refuses another version of the settings", () => {
  const overrides = { version: 2 };

  expect(() => settingsFrom({ target: "sandbox", ...overrides }, "/", "/data")).toThrow(
    /^settings:2:\d+: error: 2 is not one of/,
  );
});
