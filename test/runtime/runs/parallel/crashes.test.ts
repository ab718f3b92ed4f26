import { describe, expect, it } from "vitest";
import { modelPlace } from "../../../simulation/store/model-place.ts";
import { folderPlace } from "../../store/place.ts";
import { type Story, walk } from "../walk.ts";

const ORDER = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: order}}]
    actions:
      - reply_dm: One moment.
      - repeat:
          for_each: [first, second]
          sequence:
            - parallel:
                stock:
                  - delay: 5s
                  - reply_dm: "Looked for the \${{ repeat.item }}."
                price:
                  - {id: price, http: {url: "https://shop.example/price"}}
                  - {id: kept, call: ./a.ts#note}
                colour:
                  - id: colour
                    ask: {text: "The \${{ repeat.item }} colour?", within: 15m}
            - reply_dm: "\${{ repeat.item }}: \${{ steps.colour.text }} for \${{ steps.price.json }}"
      - reply_dm: Thank you.
`;

const STORY: Story = {
  rules: ORDER,
  script: ["an order", { text: "red", after: 2 }, { text: "blue", after: 5 }],
  texts: [
    "One moment.",
    "The first colour?",
    "Looked for the first.",
    "first: red for 7",
    "The second colour?",
    "Looked for the second.",
    "second: blue for 7",
    "Thank you.",
  ],
  runs: Array.from({ length: 7 }, () => "done"),
  tickMs: 100,
  request: async () => ({ ok: true, status: 200, text: "7", json: 7 }),
};

const rule = (keys: string, branches: string, behind = "") => `version: 1
rules:
  - id: order
    triggers: [dm.received]
    ${keys}
    actions:
      - id: both
        ${branches.trim().replaceAll("\n", "\n        ")}
      - reply_dm: After it.
    ${behind}
`;

describe("a process that ends while branches run", () => {
  it("continues in each, after every write", async () => {
    expect(await walk(STORY, modelPlace, 1)).toBeGreaterThan(30);
  });

  it("does so on the disk", async () => {
    expect(await walk(STORY, folderPlace, 7)).toBeGreaterThan(30);
  });
});

const FAILING = `parallel:
  one: [{call: ./a.ts#fail}, {reply_dm: never}]
  other: [{delay: 5s}, {reply_dm: The other.}]
`;
const fails: Pick<Story, "call"> = { call: async () => ({ ok: false, error: "no luck" }) };
const BASE = { script: ["an order"], tickMs: 100 } as const;

describe("a branch that fails, wherever the process ends", () => {
  it("lets the other branches continue, then the run fails", async () => {
    const story: Story = {
      ...BASE,
      ...fails,
      rules: rule("", FAILING, "on_error: [{reply_dm: '${{ error.step }}: ${{ error.message }}'}]"),
      texts: ["The other.", "actions[0]: no luck"],
      runs: ["failed", "failed", "done"],
    };

    expect(await walk(story, modelPlace, 1)).toBeGreaterThan(6);
  });

  it.each([
    { key: "continue_on_error: true", said: [] },
    { key: "on_error: [{reply_dm: 'It was ${{ error.code }}.'}]", said: ["It was call-failed."] },
  ])("does not end a run that handles it: $key", async ({ key, said }) => {
    const story: Story = {
      ...BASE,
      ...fails,
      rules: rule("", FAILING + key),
      texts: ["The other.", ...said, "After it."],
      runs: ["done", "failed", "done"],
    };

    expect(await walk(story, modelPlace, 1)).toBeGreaterThan(6);
  });
});

describe("a stop in a branch, wherever the process ends", () => {
  it("ends the run: the other branches stop waiting", async () => {
    const story: Story = {
      ...BASE,
      rules: rule(
        "",
        `parallel:
  one: [{delay: 1s}, {reply_dm: One.}, {stop: enough}]
  other: [{delay: 1h}, {reply_dm: never}]
  asks: [{wait_for: {trigger: dm.received, within: 1h}}]
`,
      ),
      texts: ["One."],
      runs: ["stopped", "stopped", "stopped", "stopped"],
    };

    expect(await walk(story, modelPlace, 1)).toBeGreaterThan(5);
  });

  it("ends the steps of a called rule that contains the branches", async () => {
    const rules = `version: 1
rules:
  - id: order
    triggers: [dm.received]
    actions: [{id: inner, run: both}, {reply_dm: "It was \${{ steps.inner.result }}."}]
  - id: both
    actions:
      - parallel:
          one: [{delay: 1s}, {stop: enough}]
          other: [{delay: 1h}]
      - reply_dm: never
`;
    const story: Story = {
      ...BASE,
      rules,
      texts: ["It was enough."],
      runs: ["done", "stopped", "stopped"],
    };

    expect(await walk(story, modelPlace, 1)).toBeGreaterThan(4);
  });
});

describe("branches that exceed a timeout, wherever the process ends", () => {
  const SLOW = `parallel:
  one: [{id: first, call: ./a.ts#look}, {delay: 1h}, {reply_dm: never}]
  other: [{reply_dm: The other.}]
`;

  it("are ended if their step has a timeout, and the step fails", async () => {
    const story: Story = {
      ...BASE,
      call: async () => ({ ok: true, value: "found" }),
      rules: rule(
        "",
        `${SLOW}timeout: 30s
on_error: [{reply_dm: "\${{ error.code }}, \${{ steps.first.result.orValue('') }}"}]`,
      ),
      texts: ["The other.", "parallel-timeout, found", "After it."],
      runs: ["done", "stopped", "done"],
      tickMs: 1_000,
    };

    expect(await walk(story, modelPlace, 1)).toBeGreaterThan(7);
    expect(await walk(story, folderPlace, 5)).toBeGreaterThan(7);
  });

  it("end with a rule that exceeds its timeout", async () => {
    const story: Story = {
      ...BASE,
      rules: rule("timeout: 30s", SLOW, "on_error: [{reply_dm: '${{ error.code }}'}]"),
      texts: ["The other.", "timeout"],
      runs: ["failed", "stopped", "done"],
      tickMs: 1_000,
    };

    expect(await walk(story, modelPlace, 1)).toBeGreaterThan(6);
  });
});
