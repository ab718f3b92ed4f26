import { beforeAll, describe, expect, it } from "vitest";
import { DIALECTS } from "../../src/protocol/dialects.ts";
import { AREAS } from "../../src/sandbox/areas.ts";
import { CALLS } from "../client/whole-interface/calls.ts";
import type { WireExchange } from "../client/whole-interface/recorder.ts";
import { type Call, setStage, type Stage } from "../client/whole-interface/stage.ts";
import { askAgain, pathOf } from "./ask-again.ts";
import { type Published, published, type WireAnswer } from "./published.ts";

const VERSIONS = { tweet: "2.166", post: "2.167" } as const;

/** Differences for which the platform's documentation, or a recorded answer, takes precedence over a description. */
const OTHERWISE = [
  {
    version: "2.167",
    says: /the type of the problem is not described: about:blank$/,
    why: "a failure without a type of its own, documented and recorded; 2.166 describes it",
  },
  {
    version: "2.166",
    says: /^POST \/2\/webhooks 200: .*must have required property '(id|url|valid|created_at)'$/,
    why: "the configuration is in data, documented and recorded; 2.167 describes it",
  },
  {
    version: "2.166",
    says: /^GET \/2\/webhooks 200: \/data must NOT have fewer than 1 items$/,
    why: "documented: an empty array where there are none",
  },
  {
    version: "2.166",
    says: /^\w+ \/2\/media\/upload\S* 200: .*must have required property 'meta'$/,
    why: "required there and described nowhere, recorded never",
  },
  {
    version: "2.166",
    says: /\/2\/dm_events\/{event_id} 404: \/resource_type must be equal to one of the allowed values$/,
    why: "it lists kinds of things, and none for messages",
  },
  {
    version: "2.166",
    says: /^POST \/2\/lists 201: the status is none of 200$/,
    why: "2.167 has 201, as for whatever else is made",
  },
  {
    version: "2.166",
    says: /^POST \/2\/tweets\/search\/stream\/rules 201: the status is none of 200$/,
    why: "rules that were added: recorded, and the platform's own samples take no other",
  },
  {
    version: "2.167",
    says: /^POST \/2\/tweets\/search\/stream\/rules 201: the status is none of 200$/,
    why: "rules that were added: recorded, and the platform's own samples take no other",
  },
  {
    version: "2.167",
    says: /^POST \/2\/tweets\/search\/stream\/rules 200: \/errors\/\*/,
    why: "DuplicateRule and invalid rules, recorded; 2.166 describes them",
  },
  {
    version: "2.166",
    says: /^GET \/2\/activity\/stream 200: \/data\/payload/,
    why: "which of its forms a payload has is said by event_type beside it, which a schema can't ask",
  },
  {
    version: "2.167",
    says: /^GET \/2\/activity\/stream 200: \/data\/payload/,
    why: "which of its forms a payload has is said by event_type beside it, which a schema can't ask",
  },
] as const;

/** Routes that are not compared: they are missing in a description, or no method of the client calls them. */
const NOT_COMPARED = [
  { rows: /\/blocking( |$|\/:)/, why: "documented; described until 2.112" },
  { rows: /^POST \/2\/account_activity\/replay\//, why: "documented with replay of deliveries" },
  { rows: /^POST \/2\/users\/:id\/bookmarks\/folders$/, why: "described from 2.167 on" },
  { rows: /^GET \/2\/dm_conversations\/media\//, why: "the client has the same bytes by 1.1" },
];

/** Variants of a request that fail, or request something else. */
const AGAIN: Readonly<Record<string, (exchange: WireExchange) => WireExchange | undefined>> = {
  "without credentials": (exchange) => ({ ...exchange, authorization: undefined }),
  "with an unknown parameter": (exchange) => ({
    ...exchange,
    target: `${pathOf(exchange.target)}?nonsense=1`,
  }),
  "with a malformed id": (exchange) => withId(exchange, "abc"),
  "with the id of nobody": (exchange) => withId(exchange, "123456"),
  "with an unknown key": (exchange) =>
    exchange.requestBody === undefined ? undefined : { ...exchange, requestBody: '{"nonsense":1}' },
};

function withId(exchange: WireExchange, id: string): WireExchange | undefined {
  const target = exchange.target.replace(/\d{6,}/, id);
  return target === exchange.target ? undefined : { ...exchange, target };
}

/** Requests every word that a description allows in a list of fields or expansions. */
function withEverything(exchange: WireExchange, description: Published): WireExchange {
  const path = pathOf(exchange.target);
  const query = new URLSearchParams(exchange.target.split("?")[1]);
  const { query: described = {} } = description.operation(exchange.method, path)?.says ?? {};
  for (const [name, words] of Object.entries(described)) {
    if (!/fields$|^expansions$/.test(name) || words.length === 0) continue;
    query.set(name, [...new Set(words)].join(","));
  }
  return { ...exchange, target: query.size === 0 ? path : `${path}?${query.toString()}` };
}

/** Calls every method of the client, then repeats the requests with all fields and in ways that fail. */
async function answersOf(stage: Stage, description: Published): Promise<readonly WireAnswer[]> {
  const { exchanges } = stage.recorder;
  const answers: WireAnswer[] = [];
  const firsts = new Map<string, WireExchange>();
  const calls = Object.values(CALLS).flatMap((methods) => Object.values<Call>(methods));
  for (const call of calls) {
    const from = exchanges.length;
    await call(stage);
    for (const exchange of exchanges.slice(from)) {
      const path = pathOf(exchange.target);
      const operation = description.operation(exchange.method, path);
      if (operation === undefined) continue;
      // a stream that has ended without a line has no body to compare
      if (path.endsWith("/stream") && exchange.body === "") continue;
      answers.push({ ...exchange, path });
      if (exchange.status >= 400) continue;
      if (!firsts.has(operation.name)) firsts.set(operation.name, exchange);
      if (exchange.method !== "GET" || path.endsWith("/stream")) continue;
      answers.push(await askAgain(stage, withEverything(exchange, description)));
    }
  }
  // repeated requests come last: their effects would disturb the calls
  for (const first of firsts.values()) {
    for (const way of Object.values(AGAIN)) {
      const request = way(first);
      if (request !== undefined) answers.push(await askAgain(stage, request));
    }
  }
  return answers;
}

/** Converts a route of the sandbox's ledger to a request's path. */
const sample = (path: string): string => path.replaceAll(/:\w+/g, "1");

describe.each(DIALECTS)("in the %s dialect, an answer of the sandbox", (dialect) => {
  let description: Published;
  let answers: readonly WireAnswer[];
  beforeAll(async () => {
    description = await published(VERSIONS[dialect]);
    const stage = await setStage(dialect);
    try {
      answers = await answersOf(stage, description);
    } finally {
      await stage.close();
    }
  });

  const differences = (): readonly string[] => {
    const differing = answers.flatMap((answer) => {
      const { name } = description.operation(answer.method, answer.path) ?? { name: answer.path };
      return description.differences(answer).map((one) => `${name} ${answer.status}: ${one}`);
    });
    return [...new Set(differing)];
  };
  const exceptions = OTHERWISE.filter(({ version }) => version === VERSIONS[dialect]);

  it("fits the published description, in success and failure, where the documentation agrees with it", () => {
    const unexplained = differences().filter(
      (one) => !exceptions.some(({ says }) => says.test(one)),
    );

    expect(unexplained).toEqual([]);
  });

  it("differs where the documentation differs", () => {
    const differing = differences();
    const unused = exceptions.filter(({ says }) => !differing.some((one) => says.test(one)));

    expect(unused).toEqual([]);
  });

  it("is tested for every operation that is served and described, in success and failure", () => {
    const served = AREAS.flatMap(({ routes }) => routes)
      .filter(({ path }) => path.startsWith("/2/") && !/\/oauth2\//.test(path))
      .filter((row) => !NOT_COMPARED.some(({ rows }) => rows.test(`${row.method} ${row.path}`)));
    const undescribed = served.filter(({ method, path }) => {
      return description.operation(method, sample(path)) === undefined;
    });
    const operationsBy = (isFailure: boolean): ReadonlySet<string | undefined> =>
      new Set(
        answers
          .filter(({ status }) => status >= 400 === isFailure)
          .map(({ method, path }) => description.operation(method, path)?.name),
      );
    const [succeeded, failed] = [operationsBy(false), operationsBy(true)];
    const names = served.flatMap(
      ({ method, path }) => description.operation(method, sample(path))?.name ?? [],
    );

    expect(undescribed.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
    expect(names.filter((name) => !succeeded.has(name))).toEqual([]);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
    expect(answers.length).toBeGreaterThan(300);
  });
});
