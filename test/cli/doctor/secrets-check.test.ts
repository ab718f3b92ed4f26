import { expect, it } from "vitest";
import { checkSecrets } from "../../../src/cli/doctor/secrets-check.ts";
import { loadSettings } from "../../../src/config/load-settings.ts";

const DATABASE = "postgres://bot@127.0.0.1/bot";

it.each([
  {
    env: {},
    finding: { state: "ok", message: "role all: none" },
  },
  {
    env: {
      ANSWERBACK_STORE: DATABASE,
      ANSWERBACK_ROLE: "worker",
      ANSWERBACK_KEY: "5a".repeat(32),
      ANSWERBACK_APP_CONSUMER_SECRET: "consumer",
      PGPASSWORD: "database",
    },
    finding: {
      state: "ok",
      message: "role worker: ANSWERBACK_KEY, the app's consumer secret, the database's password",
    },
  },
  {
    env: {
      ANSWERBACK_STORE: DATABASE,
      ANSWERBACK_ROLE: "receiver",
      ANSWERBACK_KEY: "5a".repeat(32),
    },
    finding: {
      state: "warn",
      message: "role receiver: ANSWERBACK_KEY; a receiver opens no tokens",
      fix: "leave ANSWERBACK_KEY out of its environment",
    },
  },
])("doctor names the secrets that a process holds: $finding.message", async ({ env, finding }) => {
  const settings = await loadSettings({ cwd: import.meta.dirname, environment: env });

  expect(checkSecrets({ env }, settings)).toEqual({ name: "secrets", ...finding });
});
