/**
 * The arrows of src/README.md, checked.
 *
 * Each rule names what a folder may import of ours; everything else is refused.
 */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: from },
  to: { path: "^(src|bots)/", pathNot: [from, ...allowed] },
});

/** Forbids imports from a lower folder to a higher one beside it. */
const order = (parent, lower, higher) => ({
  name: `${parent.replace("src/", "").replaceAll("/", "-")}-${lower}-below-${higher}`,
  comment: `${parent}/${higher} builds on ${parent}/${lower}`,
  severity: "error",
  from: { path: `^${parent}/${lower}/` },
  to: { path: `^${parent}/${higher}/` },
});

/** Files of the client that other folders import. */
const CLIENT_DOORS =
  "^src/client/(index|client|create-client|clock|errors|fault|auth/sign|public-text/create-thread|http/(endpoint|problem)|login/oauth1)\\.ts$";

const PURE = "^src/(protocol|events|actions|rules|hours|text)/|^src/runtime/[a-z-]+/plan\\.ts$";
const STAGES = [
  "webhook",
  "journal",
  "runs",
  "outbox",
  "catchup",
  "webhook-link",
  "polling",
  "accounts",
  "backup",
  "continuity",
  "instances",
  "forget",
  "control",
  "telemetry",
  "requests",
  "schedule",
  "search",
  "outages",
];
const STORE = "^src/runtime/store/";
const WORDS = [
  "^src/events/",
  "^src/actions/",
  "^src/protocol/",
  "^src/text/",
  "^src/errors\\.ts$",
  "^src/system/",
];

/** What each floor of the sandbox below its areas may import, with the reason. */
const SANDBOX_FLOORS = {
  kernel: [[], "machinery of the platform: it knows no user, app, route or caller"],
  model: [["kernel"], "tables, and what follows from them alone: nothing is emitted or answered"],
  rendering: [["kernel", "model"], "how objects are shown: showing them changes nothing"],
  auth: [["kernel", "model"], "who calls is known before a route is"],
  server: [["kernel", "model", "auth"], "from a request to a call: the routes are handed to it"],
  "data-query": [
    ["kernel", "model", "rendering", "auth", "server"],
    "what routes share: it belongs to no area",
  ],
};

/** Files of the sandbox's areas; all of `ads`, `legacy` and `login` read requests. */
const SANDBOX_AREAS = `^src/sandbox/(?!(${Object.keys(SANDBOX_FLOORS).join("|")}|control)/)[^/]+/`;
const READING_REQUESTS =
  "^src/sandbox/(ads|legacy|login)/|/([^/]*routes|[^/]*request[^/]*|area|ledger)\\.ts$";

/** What a runtime stage may use beyond the store's contract and the vocabulary. */
const EXTRA = {
  runs: [
    "^src/rules/",
    "^src/hours/",
    "^src/bots/(messages|durable/(record|send-outcome)|platform-request)\\.ts$",
  ],
  outbox: ["^src/client/", "^src/bots/platform-request\\.ts$"],
  catchup: ["^src/client/"],
  "webhook-link": ["^src/client/"],
  polling: ["^src/client/"],
  accounts: ["^src/client/"],
  requests: [
    "^src/client/",
    "^src/rules/run/http-request\\.ts$",
    "^src/bots/platform(-request|/request-of)\\.ts$",
  ],
  schedule: ["^src/rules/"],
  search: ["^src/rules/", "^src/client/"],
  telemetry: ["^src/bots/(messages|durable/record)\\.ts$"],
};

/** Floors of the rule language, lowest first: a file imports from its own floor and from lower ones. */
const RULE_FLOORS = [
  ["schema", "the pieces of which the schemas of steps and operators are made know neither"],
  ["expression", "expressions are compiled and evaluated without knowing who uses them"],
  [
    "(lists|operators|evaluation|index|run|decide|steps|schedule|search|texts)",
    "rules in force load no compiler; a step or an operator sees the compiler as an interface",
  ],
  ["(file-schema|compile)", "the compiler knows everything below it"],
];

/** Files of the runtime that other folders may import, by what a caller wants to do. The host imports all of them. */
const RUNTIME_DOORS = [
  "vocabulary",
  "records",
  "runs",
  "interpreting",
  "stores",
  "accounts",
  "control",
  "calls",
  "platform",
  "delivery",
  "log",
];
const runtimeDoors = (...names) => `^src/runtime/(${names.join("|")})\\.ts$`;

/** Sentences about verdicts, events and runs, and the stored runs that they are read from. */
const INSIGHT_WORDS = "^src/insight/(words/|kept-run\\.ts$)";

/** Files of the rule language that other folders may import, by what a caller wants to do. */
const RULE_DOORS = [
  "compile",
  "ruleset",
  "decide",
  "evaluate",
  "run",
  "run/http-request",
  "schedule",
  "user-state",
  "secrets",
  "language",
  "example",
];

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    only("protocol-stands-alone", "^src/protocol/", [], "the platform's words import nothing"),
    only("text-stands-alone", "^src/text/", [], "how texts are compared and counted, pure"),
    only("hours-stand-alone", "^src/hours/", [], "opening hours and time zones, pure"),
    only("events-know-the-protocol", "^src/events/", ["^src/protocol/"], "wire to event, pure"),
    only(
      "actions-know-events",
      "^src/actions/",
      ["^src/protocol/", "^src/events/"],
      "what goes out, pure, and how it comes back",
    ),
    only(
      "config-is-a-reader",
      "^src/config/",
      ["^src/protocol/", "^src/hours/", "^src/text/", "^src/system/", "^src/errors\\.ts$"],
      "YAML to values or problems",
    ),
    only("docs-stand-alone", "^src/docs/", [], "the package's pages: reading and searching them"),
    only(
      "rules-know-events-and-actions",
      "^src/rules/",
      [...WORDS, "^src/hours/", "^src/config/"],
      "the language decides; it does nothing",
    ),
    ...RULE_FLOORS.slice(0, -1).map(([floor, comment], index) => ({
      name: `rules-floor-${index + 1}`,
      comment,
      severity: "error",
      from: { path: `^src/rules/${floor}/` },
      to: {
        path: RULE_FLOORS.slice(index + 1).map(([higher]) => `^src/rules/${higher}/`),
      },
    })),
    {
      name: "rules-loose-files-know-no-compiler",
      comment: "rules in force load no compiler",
      severity: "error",
      from: { path: "^src/rules/[^/]+\\.ts$", pathNot: "^src/rules/(compile|language)\\.ts$" },
      to: { path: "^src/rules/((file-schema|compile)/|(compile|language)\\.ts$)" },
    },
    {
      name: "rules-have-doors",
      comment: "files behind the doors can move without a change elsewhere",
      severity: "error",
      from: { pathNot: "^src/rules/" },
      to: {
        path: "^src/rules/",
        pathNot: `^src/rules/(${RULE_DOORS.join("|")})\\.ts$`,
      },
    },
    {
      name: "runtime-has-doors",
      comment: "files behind the doors can move without a change elsewhere",
      severity: "error",
      from: { pathNot: "^src/(runtime|host)/" },
      to: { path: "^src/runtime/", pathNot: runtimeDoors(...RUNTIME_DOORS) },
    },
    only(
      "reference-shows-the-language",
      "^src/insight/reference/",
      [...WORDS, "^src/rules/", "^src/config/"],
      "made of schemas and tables, for explain and the documents",
    ),
    only(
      "bots-know-events-and-actions",
      "^src/bots/",
      [...WORDS, "^src/client/"],
      "TypeScript modules, and the platform as they see it",
    ),
    only(
      "client-knows-the-protocol",
      "^src/client/",
      ["^src/protocol/", "^src/system/", "^src/errors\\.ts$"],
      "two readings of one manual: the sandbox must not leak in",
    ),
    only(
      "sandbox-knows-the-protocol",
      "^src/sandbox/",
      ["^src/protocol/", "^src/system/"],
      "the other reading",
    ),
    {
      name: "sandbox-control-stands-above-the-areas",
      comment: "the control interface shows all areas, and none of them knows it",
      severity: "error",
      from: {
        path: "^src/sandbox/",
        pathNot: "^src/sandbox/(control/|(areas|index|start)\\.ts$)",
      },
      to: { path: "^src/sandbox/control/" },
    },
    ...Object.entries(SANDBOX_FLOORS).map(([floor, [below, comment]]) =>
      only(
        `sandbox-floor-${floor}`,
        `^src/sandbox/${floor}/`,
        ["^src/(protocol|system)/", ...below.map((folder) => `^src/sandbox/${folder}/`)],
        comment,
      ),
    ),
    {
      name: "sandbox-behaviour-reads-no-request",
      comment: "a deed changes and emits the same, whichever route or control endpoint asks for it",
      severity: "error",
      from: { path: SANDBOX_AREAS, pathNot: READING_REQUESTS },
      to: { path: `^src/sandbox/(server|data-query)/|${READING_REQUESTS}` },
    },
    {
      name: "sandbox-behaviour-shows-nothing",
      comment: "wire shapes change without it; deliveries alone render what they send",
      severity: "error",
      from: {
        path: SANDBOX_AREAS,
        pathNot: [READING_REQUESTS, "^src/sandbox/activity/(deliver|replay)\\.ts$"],
      },
      to: { path: "^src/sandbox/rendering/" },
    },
    {
      name: "words-describe-decisions",
      comment:
        "sentences about rules serve rehearsals, tests and traces, and depend on none of them",
      severity: "error",
      from: { path: "^src/insight/words/" },
      to: { path: "^src/insight/(rehearsal|tests|traces|reference)/" },
    },
    order("src/insight", "rehearsal", "tests"),
    only(
      "words-send-nothing",
      INSIGHT_WORDS,
      ["^src/(rules|config)/", runtimeDoors("vocabulary", "records", "runs"), ...WORDS],
      "sentences are written from what is stored: nothing here sends",
    ),
    only(
      "rehearsals-reach-no-platform",
      "^src/insight/(rehearsal|tests)/",
      [
        INSIGHT_WORDS,
        "^src/(rules|bots|config|hours)/",
        runtimeDoors("vocabulary", "records", "runs", "interpreting", "log"),
        ...WORDS,
      ],
      "what is tried out sends nothing: there is nothing here to send with",
    ),
    only(
      "traces-look-and-change-nothing",
      "^src/insight/traces/",
      [
        INSIGHT_WORDS,
        "^src/(rules|config|hours|insight/(rehearsal|tests))/",
        runtimeDoors("vocabulary", "records", "runs", "interpreting", "control"),
        ...WORDS,
      ],
      "what became of events, from what is kept: nothing here writes or sends",
    ),
    only(
      "labs-use-what-anybody-can",
      "^src/testing/",
      ["^src/host/", "^src/runtime/", "^src/sandbox/", "^src/system/"],
      "a bot's tests stand on the runtime and the sandbox as they are",
    ),
    only(
      "host-puts-a-bot-together",
      "^src/host/",
      [
        "^src/(runtime|rules|bots|client|config|hours|sandbox)/",
        "^src/console/serve-console\\.ts$",
        ...WORDS,
      ],
      "from settings to a running bot with its console",
    ),
    {
      name: "runtime-knows-no-composition",
      comment: "the host puts it together and hands it what shows it",
      severity: "error",
      from: { path: "^src/runtime/" },
      to: {
        path: "^src/(host|console|cli|testing|insight|chat-sdk)/",
      },
    },
    only(
      "chat-sdk-stands-on-bots",
      "^src/chat-sdk/",
      ["^src/bots/", ...WORDS, "^src/client/errors\\.ts$"],
      "what the Chat SDK asks for, by what a bot's handler has",
    ),
    only(
      "console-shows-and-asks",
      "^src/console/(?!page/)",
      [
        "^src/(runtime|insight/(traces|rehearsal|tests)|rules|config|client|sandbox|docs)/",
        INSIGHT_WORDS,
        ...WORDS,
      ],
      "the page's server: what it shows is known elsewhere",
    ),
    only(
      "the-page-has-no-machine",
      "^src/console/page/",
      [
        "^src/console/(pages|operations/|assets/page-assets|live/live-line|sign-in/session-tokens)",
        runtimeDoors("vocabulary", "records"),
        "^src/sandbox/model/callback",
        "^src/config/problem\\.ts$",
        "^src/(insight/traces|rules|actions|events|protocol|text|sandbox/control)/",
        "^src/docs/(contents|links|page|search-pages)\\.ts$",
      ],
      "what runs in the browser takes types from the server, and pure tables",
    ),
    {
      name: "client-has-doors",
      comment: "types come from client.ts, values from the file that loads least",
      severity: "error",
      from: { pathNot: "^src/client/" },
      to: { path: "^src/client/", pathNot: CLIENT_DOORS },
    },
    order("src/bots", "durable", "platform"),
    order("src/cli", "talk", "rule-reports"),
    order("src/client", "http", "auth"),
    order("src/client", "streaming", "resources"),
    ...["session", "live", "asking", "parts", "pages", "frame"].flatMap((lower, index, floors) =>
      floors.slice(index + 1).map((higher) => order("src/console/page", lower, higher)),
    ),
    only("system-knows-only-the-machine", "^src/system/", [], "files, ports, hashes, threads"),
    only("store-is-a-leaf", STORE, WORDS, "the contract knows the vocabulary only"),
    {
      name: "a-store-moves-above-its-engines",
      comment: "a move holds and fills stores of either engine, and neither engine knows it",
      severity: "error",
      from: { path: `${STORE}(sqlite|postgres|copy|tables|machine)/` },
      to: { path: `${STORE}move/` },
    },
    {
      name: "tables-know-no-work",
      comment: "what is asked of a table depends on nothing that works on several",
      severity: "error",
      from: { path: `${STORE}postgres/tables/` },
      to: { path: `${STORE}postgres/work/` },
    },
    only(
      "tables-are-described-by-the-contract",
      `${STORE}tables/`,
      [`${STORE}[a-z-]+\\.ts$`, ...WORDS],
      "both engines follow from the description, which knows neither",
    ),
    ...STAGES.map((stage) =>
      only(
        `stage-${stage}-declares-what-it-needs`,
        `^src/runtime/${stage}/`,
        [
          STORE,
          "^src/runtime/(clock|loop)/|^src/runtime/(log|readiness|runtime-events|secret-mask|source)\\.ts$",
          ...WORDS,
          ...(EXTRA[stage] ?? []),
        ],
        "stages do not import each other; the host hands them what they need",
      ),
    ),
    {
      name: "pure-parts-touch-no-machine",
      comment: "no clock, network, disk or randomness: no Node built-in",
      severity: "error",
      from: { path: PURE },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "only-the-command-line-knows-it",
      severity: "error",
      from: { pathNot: "^src/cli/" },
      to: { path: "^src/cli/" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["answerback-source", "import", "types"],
    },
  },
};
