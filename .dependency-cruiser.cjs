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

const PURE = "^src/(interface|events|actions|rules)/|^src/runtime/[a-z-]+/plan\\.ts$";
const STAGES = ["webhook", "journal", "runs", "outbox", "catchup", "link", "accounts", "control"];
const STORE = "^src/runtime/store/";
const WORDS = [
  "^src/events/",
  "^src/actions/",
  "^src/interface/",
  "^src/errors\\.ts$",
  "^src/start-thread\\.ts$",
];

/** What a runtime stage may use beyond the store's contract and the vocabulary. */
const EXTRA = {
  outbox: ["^src/client/"],
  catchup: ["^src/client/"],
  link: ["^src/client/"],
  accounts: ["^src/client/"],
};

module.exports = {
  forbidden: [
    {
      name: "no-cycles",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    only("interface-stands-alone", "^src/interface/", [], "the platform's words import nothing"),
    only("events-know-the-interface", "^src/events/", ["^src/interface/"], "wire to event, pure"),
    only("actions-know-the-interface", "^src/actions/", ["^src/interface/"], "what goes out, pure"),
    only(
      "config-is-a-reader",
      "^src/config/",
      ["^src/interface/", "^src/errors\\.ts$"],
      "YAML to values or problems",
    ),
    only(
      "rules-know-events-and-actions",
      "^src/rules/",
      [...WORDS, "^src/config/"],
      "the language decides; it does nothing",
    ),
    only("bots-stand-on-rules", "^src/bots/", [...WORDS, "^src/rules/"], "TypeScript modules"),
    only(
      "client-knows-the-interface",
      "^src/client/",
      ["^src/interface/", "^src/errors\\.ts$"],
      "two readings of one manual: the sandbox must not leak in",
    ),
    only("sandbox-knows-the-interface", "^src/sandbox/", ["^src/interface/"], "the other reading"),
    only("store-is-a-leaf", STORE, WORDS, "the contract knows the vocabulary only"),
    ...STAGES.map((stage) =>
      only(
        `stage-${stage}-declares-what-it-needs`,
        `^src/runtime/${stage}/`,
        [
          STORE,
          "^src/runtime/(clock|log|pump|seldom|within)\\.ts$",
          ...WORDS,
          ...(EXTRA[stage] ?? []),
        ],
        "stages do not import each other; runtime.ts hands them what they need",
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
      conditionNames: ["source", "import", "types"],
    },
  },
};
