import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openJournal } from "../../../src/runtime/journal/journal.ts";
import type { NewEntry } from "../../../src/runtime/store/entry.ts";
import type { Store } from "../../../src/runtime/store/store.ts";
import type { PostEvent } from "../../../src/events/event.ts";
import { translate } from "../../../src/events/translate.ts";
import { handClock } from "../../support/hand-clock.ts";
import { folderPlace } from "../store/place.ts";

const REVOKE = {
  user_event: {
    revoke: {
      date_time: "2026-01-01T00:00:00+00:00",
      target: { app_id: "9" },
      source: { user_id: "100" },
    },
  },
};

let place: Awaited<ReturnType<typeof folderPlace>>;
let store: Store;
beforeEach(async () => {
  place = await folderPlace();
  store = await place.open();
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

function journal(onRevoked: (account: string, at: number) => Promise<void>) {
  const appended: NewEntry[] = [];
  const opened = openJournal({
    store,
    clock: handClock(),
    usernameOf: () => "hello_bot",
    onAppended: (entries) => appended.push(...entries),
    onRevoked,
  });
  const append = (body: object = REVOKE) => opened.append(body, JSON.stringify(body), "webhook");
  return { append, appended };
}

describe("a delivery", () => {
  it("is reported once, with its new entries", async () => {
    const { append, appended } = journal(async () => {});

    expect([await append(), await append()]).toEqual([1, 0]);
    expect(appended).toMatchObject([{ kind: "revoked", account: "100", source: "webhook" }]);
  });

  it("with an empty list adds no entry", async () => {
    const { append, appended } = journal(async () => {});

    expect(await append({ for_user_id: "100", tweet_create_events: [] })).toBe(0);
    expect(appended).toEqual([]);
    expect(await store.journal({ limit: 1 })).toEqual([]);
  });

  it("that revokes an account is not acknowledged before the revocation is stored, and is repeated", async () => {
    const revoked: [string, number][] = [];
    let full = true;
    const { append } = journal(async (...args) => {
      if (full) throw new Error("disk full");
      revoked.push(args);
    });

    await expect(append()).rejects.toThrow("disk full");
    full = false;
    expect(await append()).toBe(0);
    expect(revoked).toEqual([["100", Date.UTC(2026, 0, 1)]]);
  });
});

/** A version of a post by ben that mentions the account 100. */
function version(ids: readonly string[], text: string, more: object = {}): object {
  const id = ids.at(-1) ?? "";
  const post = {
    id_str: id,
    text: `@hello_bot ${text}`,
    timestamp_ms: "1767225600000",
    user: { id_str: "300", screen_name: "ben" },
    entities: { user_mentions: [{ id_str: "100", screen_name: "hello_bot", indices: [0, 10] }] },
    edit_history: { initial_tweet_id: ids[0], edit_tweet_ids: ids },
    ...more,
  };
  return { for_user_id: "100", tweet_create_events: [post] };
}

function postsIn(entries: readonly NewEntry[]): PostEvent[] {
  return entries.flatMap(({ body, key }) =>
    translate(JSON.parse(body), 0).flatMap(({ event }) => {
      expect(event.key).toBe(key);
      return event.kind === "post" ? [event] : [];
    }),
  );
}

describe("an edited post", () => {
  const [first, second, third] = [
    version(["1"], "opening hours plz"),
    version(["1", "2"], "opening hours please"),
    version(["1", "2", "3"], "opening hours today"),
  ] as const;

  it("is one mention, and an edit with the previous text for each later version", async () => {
    const { append, appended } = journal(async () => {});

    for (const body of [first, second, second, first, third, third]) await append(body);

    expect(
      postsIn(appended).map(({ key, triggers, post }) => [
        key,
        triggers,
        post.text,
        post.formerText,
        post.versions,
      ]),
    ).toEqual([
      ["post:1", ["post.mentioned"], "opening hours plz", undefined, undefined],
      [
        "post_edited:2",
        ["post.edited", "post.mentioned"],
        "opening hours please",
        "opening hours plz",
        ["1", "2"],
      ],
      [
        "post_edited:3",
        ["post.edited", "post.mentioned"],
        "opening hours today",
        "opening hours please",
        ["1", "2", "3"],
      ],
    ]);
  });

  it("is the mention by the version that is received first, whichever version follows", async () => {
    const { append, appended } = journal(async () => {});

    for (const body of [second, first, second, third]) await append(body);

    expect(postsIn(appended)).toMatchObject([
      { key: "post:1", triggers: ["post.mentioned"], post: { id: "2" } },
      { key: "post_edited:3", post: { formerText: "opening hours please" } },
    ]);
  });

  it.each([
    { history: "the whole history", versions: [["1"], ["1", "2", "3"], ["1", "2"]] },
    { history: "the first id alone", versions: [["1"], ["1", "3"], ["1", "2"]] },
  ])(
    "does not return to an older version that is received late, with $history",
    async ({ versions }) => {
      const { append, appended } = journal(async () => {});

      for (const ids of versions) await append(version(ids, `text ${ids.length}`));

      expect(appended.map(({ key }) => key)).toEqual(["post:1", "post_edited:3"]);
    },
  );

  it("is repeated if the disk failed between the mention's version and the edit", async () => {
    const { append, appended } = journal(async () => {});
    await append(first);
    const read = store.journal.bind(store);
    store.journal = async () => {
      throw new Error("disk full");
    };
    await expect(append(second)).rejects.toThrow("disk full");
    store.journal = read;
    await append(second);

    expect(postsIn(appended).map(({ key }) => key)).toEqual(["post:1", "post_edited:2"]);
  });
});

describe("a deletion of an edited post", () => {
  const gone = (id: string) => ({
    for_user_id: "100",
    post_delete_events: [{ status: { id, user_id: "300" }, timestamp_ms: "1767225600000" }],
  });
  const first = version(["1"], "opening hours plz");
  const second = version(["1", "2"], "opening hours please");

  it.each([
    { received: "both versions", bodies: [first, second] },
    { received: "the later version alone", bodies: [second] },
    { received: "the later version first", bodies: [second, first] },
  ])("is one event, of the first version, if $received was received", async ({ bodies }) => {
    const { append, appended } = journal(async () => {});
    for (const body of bodies) await append(body);
    for (const id of ["1", "2"]) await append(gone(id));

    const deleted = appended.filter(({ kind }) => kind === "post_deleted");
    expect(deleted.map(({ key }) => key)).toEqual(["post_deleted:1"]);
  });

  it("does not change a post that was not edited", async () => {
    const { append, appended } = journal(async () => {});
    for (const body of [first, gone("1"), gone("3")]) await append(body);

    expect(appended.slice(1)).toMatchObject([
      { key: "post_deleted:1", body: JSON.stringify(gone("1")) },
      { key: "post_deleted:3", body: JSON.stringify(gone("3")) },
    ]);
  });
});

describe("a quote that is delivered without the quoted post", () => {
  const quote = (handle: string, more: object = {}) =>
    version(["5"], "see this", {
      text: "see this https://t.co/aaaaaaaaaa",
      entities: {},
      quoted_status_id_str: "4",
      quoted_status_permalink: { expanded: `https://platform.example/${handle}/status/4` },
      ...more,
    });

  it("belongs to the account if the address has its handle", async () => {
    const { append, appended } = journal(async () => {});
    await append(quote("Hello_Bot"));
    await append({ ...quote("Hello_Bot"), for_user_id: "100" });
    expect(postsIn(appended)).toMatchObject([
      { triggers: ["post.quoted"], post: { quoted: { id: "4", author: { id: "100" } } } },
    ]);
  });

  it("belongs to nobody if the address has another handle", async () => {
    const { append, appended } = journal(async () => {});
    await append(quote("hello_bot_fan"));
    expect(postsIn(appended)).toMatchObject([{ triggers: [] }]);
  });

  it("is in the lane of the quoted author if the account quotes a post that it received", async () => {
    const { append, appended } = journal(async () => {});
    await append(version(["4"], "hi"));
    const user = { id_str: "100", screen_name: "hello_bot" };
    await append(quote("ben", { user }));
    expect(postsIn(appended).at(-1)).toMatchObject({
      lane: "100/300",
      triggers: ["post.created", "post.quoted"],
      post: { quoted: { id: "4", author: { id: "300" } } },
    });
  });

  it("contains the text of the account's own post, also if no address has a handle", async () => {
    const { append, appended } = journal(async () => {});
    const own = {
      id_str: "4",
      text: "We are open",
      timestamp_ms: "1767225600000",
      user: { id_str: "100", screen_name: "hello_bot" },
    };
    await append({ for_user_id: "100", post_create_events: [own] });
    await append(version(["5"], "", { quoted_status_id_str: "4", entities: {} }));
    const quoted_status_permalink = { expanded: "https://x.com/i/status/4" };
    const ofNobody = { quoted_status_id_str: "4", entities: {}, quoted_status_permalink };
    await append(version(["6"], "", ofNobody));
    const expected = { triggers: ["post.quoted"], post: { quoted: { text: "We are open" } } };
    expect(postsIn(appended).slice(1)).toMatchObject([expected, expected]);
  });
});
