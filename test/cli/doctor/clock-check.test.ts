import { afterEach, beforeEach, expect, it } from "vitest";
import { checkClock } from "../../../src/cli/doctor/clock-check.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";

const SECOND = 1_000;
const DAY = 24 * 60 * 60 * SECOND;

let platform: RunningSandbox;
beforeEach(async () => {
  platform = await startSandbox();
});
afterEach(() => platform.close());

it.each([
  { aheadMs: 0, state: "ok", said: /^this machine's clock shows the platform's time$/ },
  { aheadMs: 10 * SECOND, state: "warn", said: /^this machine's clock is (9|10) s behind / },
  { aheadMs: -10 * SECOND, state: "warn", said: /^this machine's clock is 1[01] s ahead of / },
  { aheadMs: 120 * SECOND, state: "warn", said: /^this machine's clock is 1(19|20) s behind / },
  { aheadMs: -120 * SECOND, state: "warn", said: /^this machine's clock is 12[01] s ahead of / },
  { aheadMs: DAY, state: "warn", said: /^this machine's clock is 86(399|400) s behind / },
  { aheadMs: -DAY, state: "warn", said: /^this machine's clock is 8640[01] s ahead of / },
])(
  "doctor reports $state for a platform that is $aheadMs ms ahead",
  async ({ aheadMs, state, said }) => {
    await platform.control.setClock(new Date(Date.now() + aheadMs).toISOString());
    const finding = await checkClock({ access: { baseUrl: platform.url }, sandbox: undefined });

    expect(finding).toMatchObject({ name: "clock", state, message: expect.stringMatching(said) });
    expect(finding.fix).toBe(
      state === "ok" ? undefined : "set this machine's clock by NTP: timedatectl set-ntp true",
    );
  },
);

it("doctor reports a platform that can't be reached, with the reason", async () => {
  const closed = await startSandbox();
  await closed.close();
  const finding = await checkClock({ access: { baseUrl: closed.url }, sandbox: undefined });

  expect(finding).toMatchObject({
    name: "clock",
    state: "fail",
    message: expect.stringMatching(/^the connection failed \(connect ECONNREFUSED .+\)$/),
    fix: `check that this machine can reach ${closed.url}`,
  });
});
