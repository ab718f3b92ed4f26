import { describe, expect, it } from "vitest";
import { alarmOnRevoked, noAccountLeft } from "../../../src/runtime/accounts/account-alarm.ts";
import type { AccountChange, LinkedAccount } from "../../../src/runtime/accounts/linked-account.ts";
import { openLog } from "../../../src/runtime/log.ts";

const account = (username: string, revoked?: string): LinkedAccount => ({
  id: `id-${username}`,
  username,
  accessToken: "token",
  accessTokenSecret: "secret",
  linkedAt: 0,
  ...(revoked !== undefined && { revoked }),
});

describe("the accounts of a bot", () => {
  const TAKEN = "its owner took it away";
  it.each([
    { list: [], refused: [], is: undefined, why: "none is linked at all: that is said elsewhere" },
    { list: [account("a")], refused: [], is: undefined, why: "it works" },
    {
      list: [account("a", TAKEN), account("b")],
      refused: [],
      is: undefined,
      why: "the other one works",
    },
    {
      list: [account("a", TAKEN)],
      refused: [],
      is: `no linked account can be used; @a: ${TAKEN}; fix: answerback login --username a`,
      why: "the only one is revoked",
    },
    {
      list: [account("a", TAKEN), account("b")],
      refused: ["id-b"],
      is: `no linked account can be used; @a: ${TAKEN}; fix: answerback login --username a; @b: 403`,
      why: "one is revoked, the other refused",
    },
  ])("are all inactive: $is, when $why", ({ list, refused, is }) => {
    const reasonOf = (id: string) => (refused.some((one) => one === id) ? "403" : undefined);

    expect(noAccountLeft({ list: () => list }, reasonOf)?.reason).toBe(is);
  });

  it.each([
    { others: [account("b")], level: 40, why: "another one goes on" },
    { others: [], level: 50, why: "it was the last" },
  ])("are named in one line of level $level once one is revoked: $why", ({ others, level }) => {
    const lines: string[] = [];
    const log = openLog({ level: "debug", destination: { write: (line) => lines.push(line) } });
    let list = [account("a"), ...others];
    let publish = (_change: AccountChange): void => {};
    const end = alarmOnRevoked(
      { list: () => list, subscribe: (listener) => ((publish = listener), () => {}) },
      log,
    );
    expect(lines).toEqual([]);
    const revoked = account("a", TAKEN);
    list = [revoked, ...others];
    publish({ type: "revoked", account: revoked });
    publish({ type: "linked", account: account("a") });
    end();

    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        level,
        account: "a",
        msg: expect.stringContaining(`${TAKEN}; fix: answerback login --username a`),
      }),
    ]);
  });
});
