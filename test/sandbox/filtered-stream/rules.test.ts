import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import {
  DIALECT_WORDS,
  idsOf,
  startDataSandbox,
  type DataResponse,
  type DataSandbox,
} from "../support/data-sandbox.ts";

const NOW = Date.UTC(2026, 5, 15, 12);

describe.each(DIALECT_WORDS)("the rules of $path/search/stream", ({ dialect, path }) => {
  let fixture: DataSandbox;
  beforeEach(async () => {
    fixture = await startDataSandbox({ clock: { now: NOW, frozen: true } }, { dialect });
  });
  afterEach(() => fixture.close());

  const rules = `${path}/search/stream/rules`;
  const sent = "2026-06-15T12:00:00.000Z";
  const change = async (body: unknown, query = ""): Promise<DataResponse> => {
    const { status, body: answer } = await fixture.asApp("POST", `${rules}${query}`, body);
    return { ...Object(answer), body: answer, status };
  };
  const list = (query = ""): Promise<DataResponse> => fixture.get(`${rules}${query}`);

  it("are added, and listed in that order", async () => {
    const added = await change({
      add: [{ value: "cat has:media", tag: "cats" }, { value: "dog" }],
    });
    const listed = await list();

    expect([added.status, added.body]).toEqual([
      201,
      {
        data: [
          { id: expect.stringMatching(/^\d+$/), value: "cat has:media", tag: "cats" },
          { id: expect.stringMatching(/^\d+$/), value: "dog" },
        ],
        meta: { sent, summary: { created: 2, not_created: 0, valid: 2, invalid: 0 } },
      },
    ]);
    expect(listed.body).toEqual({ data: added.data, meta: { sent, result_count: 2 } });
  });

  it("are none at first", async () => {
    expect((await list()).body).toEqual({ meta: { sent, result_count: 0 } });
  });

  it("are listed by id and by page", async () => {
    const added = await change({ add: ["a", "b", "c"].map((value) => ({ value })) });
    const [first, second, third] = idsOf(added);
    const some = await list(`?ids=${String(first)},${String(third)}`);
    const page = await list("?max_results=2");
    const token = String(page.meta["next_token"]);
    const last = await list(`?max_results=2&pagination_token=${token}`);

    expect(token).toHaveLength(16);
    expect([some, page, last].map(idsOf)).toEqual([[first, third], [first, second], [third]]);
    expect(last.meta).not.toHaveProperty("next_token");
  });

  it("that are there already or are invalid are reported, and the others added", async () => {
    const [id] = idsOf(await change({ add: [{ value: "cat" }] }));
    const { status, body } = await change({
      add: [
        { value: "cat", tag: "again" },
        { value: "dog" },
        { value: "dog" },
        { value: "is:reply" },
      ],
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      data: [{ id: expect.any(String), value: "dog" }],
      meta: { sent, summary: { created: 1, not_created: 3, valid: 1, invalid: 3 } },
      errors: [
        {
          value: "cat",
          id,
          title: "DuplicateRule",
          type: expect.stringMatching(/duplicate-rules$/),
        },
        {
          value: "dog",
          id: expect.any(String),
          title: "DuplicateRule",
          type: expect.stringMatching(/duplicate-rules$/),
        },
        {
          value: "is:reply",
          details: ["Rule must contain at least one positive, non-stopword clause (at position 1)"],
          title: "UnprocessableEntity",
          type: expect.stringMatching(/invalid-rules$/),
        },
      ],
    });
  });

  test.each([
    { value: "", says: "Rule is empty", why: "an empty rule" },
    { value: "w".repeat(2_049), says: "at most 2048", why: "a rule that is too long" },
    { value: "nonsense:cat", says: "Reference to invalid operator 'nonsense'", why: "no operator" },
    { value: "(cat", says: "missing ')'", why: "an open group" },
    { value: "list:123", says: "invalid operator 'list'", why: "an operator of search alone" },
    {
      value: "cat (-min_likes:5 OR quotes_of_post_id:1)",
      says: "Reference to invalid operator 'min_likes'. Operator is not available in current product or product packaging. (at position 7)",
      why: "operators of search alone in a group",
    },
  ])("do not take $why", async ({ value, says }) => {
    const { status, errors, meta } = await change({ add: [{ value }] });

    expect([status, meta["summary"]]).toEqual([
      200,
      { created: 0, not_created: 1, valid: 0, invalid: 1 },
    ]);
    expect(errors[0]?.["details"]).toEqual([expect.stringContaining(says)]);
  });

  it("are only tried on a dry run", async () => {
    const tried = await change({ add: [{ value: "cat" }] }, "?dry_run=true");
    await change({ add: [{ value: "dog" }] });
    const response = await change({ delete: { values: ["dog"] } }, "?dry_run=true");

    expect([tried.status, tried.meta["summary"]]).toEqual([
      201,
      { created: 1, not_created: 0, valid: 1, invalid: 0 },
    ]);
    expect(response.meta["summary"]).toEqual({ deleted: 1, not_deleted: 0 });
    expect((await list()).data).toMatchObject([{ value: "dog" }]);
  });

  it("are deleted by id and by value, and missing ones are reported", async () => {
    const [id] = idsOf(await change({ add: ["a", "b", "c"].map((value) => ({ value })) }));
    const { status, body } = await change({ delete: { ids: [id, "99"], values: ["b", "x"] } });

    expect(status).toBe(200);
    expect(body["meta"]).toEqual({ sent, summary: { deleted: 2, not_deleted: 2 } });
    expect(body["errors"]).toMatchObject([
      { errors: [{ message: "Rule does not exist", parameters: { id: ["99"] } }] },
      { errors: [{ message: "Rule does not exist", parameters: { value: ["x"] } }] },
    ]);
    expect((await list()).data).toMatchObject([{ value: "c" }]);
  });

  it("are deleted all at once", async () => {
    await change({ add: ["a", "b"].map((value) => ({ value })) });
    const { meta } = await change({}, "?delete_all=true");

    expect(meta["summary"]).toEqual({ deleted: 2, not_deleted: 0 });
    expect((await list()).meta["result_count"]).toBe(0);
  });

  it("are counted for the app and its project", async () => {
    await change({ add: ["a", "b"].map((value) => ({ value })) });
    const { data } = await fixture.get(`${rules}/counts`);
    const number = (value: number): unknown => (dialect === "post" ? String(value) : value);

    const own = { client_app_id: fixture.app.app_id, rule_count: 2 };
    expect(data).toEqual({
      all_project_client_apps: [own],
      cap_per_client_app: number(1_000),
      cap_per_project: number(5_000),
      client_app_rules_count: own,
      project_rules_count: number(2),
    });
  });

  it("are at most a thousand", async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({ value: `word${n}` }));
    await change({ add: many });
    const { status, body } = await change({ add: [{ value: "one more" }] });

    expect([status, body["type"]]).toEqual([400, expect.stringMatching(/rule-cap$/)]);
  });

  test.each([
    { body: {}, why: "nothing" },
    { body: { add: [{ value: "a" }], delete: { ids: ["1"] } }, why: "two changes" },
    { body: { delete: {} }, why: "a delete of nothing" },
    { body: { add: [] }, why: "no rules" },
    { body: { add: [{ value: "a", color: "red" }] }, why: "an unknown key" },
  ])("refuse $why", async ({ body }) => {
    expect((await change(body)).status).toBe(400);
  });

  it("are for the app alone", async () => {
    expect((await fixture.get(rules, fixture.bot)).status).toBe(403);
  });
});
