import { expect, it } from "vitest";
import { accountId } from "../../../src/cli/target/named.ts";

const HANDLES = { "7": "Hello_Bot" };

it.each(["7", "hello_bot", "@HELLO_bot"])("finds an account by %s", (account) => {
  expect(accountId(account, HANDLES)).toBe("7");
});

it("accepts the id of an account that was unlinked", () => {
  expect(accountId("8", HANDLES)).toBe("8");
});

it.each(["nobody", "constructor", "__proto__", ""])("refuses %j", (account) => {
  expect(() => accountId(account, HANDLES)).toThrow(`no account ${account} is linked`);
});
