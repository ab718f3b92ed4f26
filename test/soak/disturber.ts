import { addFaults, removeFaults } from "../crash/faults.ts";
import { seeded } from "../support/seeded.ts";
import { type Disturbance, STEP_MS } from "./plan.ts";
import type { SoakRig } from "./rig.ts";

export interface DisturberOptions {
  readonly disturbances: readonly Disturbance[];
  readonly seed: number;
  readonly say: (line: string) => void;
}

/** Undoes a disturbance, at a step of the day. */
interface Ending {
  readonly step: number;
  readonly end: () => Promise<void>;
}

/** Causes the disturbances that the plan of a simulated day contains, and ends each after its time. */
export class Disturber {
  readonly #rig: SoakRig;
  readonly #options: DisturberOptions;
  readonly #draw: (below: number) => number;
  #endings: Ending[] = [];
  readonly #left = new Set<string>();
  #rules = 1;

  constructor(rig: SoakRig, options: DisturberOptions) {
    this.#rig = rig;
    this.#options = options;
    this.#draw = seeded(options.seed);
  }

  /** Accounts that are currently revoked. */
  get left(): ReadonlySet<string> {
    return this.#left;
  }

  /** Begins a step: ends disturbances whose time is over, and begins planned ones. */
  async at(step: number): Promise<void> {
    const over = this.#endings.filter((ending) => ending.step <= step);
    this.#endings = this.#endings.filter((ending) => ending.step > step);
    for (const { end } of over) await end();
    for (const one of this.#options.disturbances) {
      if (one.step === step) await this.#disturb(one);
    }
  }

  /** Ends all disturbances; the bot is running afterwards. */
  async end(): Promise<void> {
    for (const { end } of this.#endings.splice(0)) await end();
    await this.#up();
  }

  async #disturb({ name, step, steps }: Disturbance): Promise<void> {
    const { say } = this.#options;
    say(`step ${step}: ${name}${steps > 0 ? ` for ${steps} steps` : ""}`);
    const rig = this.#rig;
    const until = (end: () => Promise<void>): void =>
      void this.#endings.push({ step: step + steps, end });
    switch (name) {
      case "bot-stopped":
      case "bot-killed":
        await rig.endBot(name === "bot-stopped" ? "SIGTERM" : "SIGKILL");
        return until(() => this.#up());
      case "rules-changed":
        await rig.writeRules(++this.#rules);
        await rig.endBot("SIGTERM");
        return this.#up();
      case "sandbox-stopped":
      case "sandbox-killed":
        return rig.restartSandbox(name === "sandbox-stopped" ? "SIGTERM" : "SIGKILL");
      case "revoked": {
        await this.#up();
        const account = await this.#revoke();
        return until(() => this.#relink(account));
      }
      case "clock-back":
        return this.#setClock(-steps * STEP_MS);
      case "clock-forth":
        return this.#setClock(steps * STEP_MS);
      case "link-lost":
        await rig.lead("nobody");
        return until(() => rig.lead("bot"));
      case "platform-faults":
        await addFaults({ sandbox: rig }, this.#options.seed + step);
        return until(() => removeFaults({ sandbox: rig }));
    }
  }

  async #up(): Promise<void> {
    if (!this.#rig.isBotUp()) await this.#rig.startBot();
  }

  async #revoke(): Promise<string> {
    const { control, accounts, app } = this.#rig;
    const { id } = accounts[this.#draw(accounts.length)] ?? { id: "" };
    // People stop writing to a revoked account. It must answer their earlier messages once access is granted again.
    this.#left.add(id);
    await control.call("DELETE", `/users/${id}/apps/${app.id}`);
    return id;
  }

  async #relink(id: string): Promise<void> {
    const { control, accounts, app } = this.#rig;
    await this.#up();
    const tokens = await control.tokens(id, app.id);
    await this.#rig.ask("linkAccount", {
      id,
      username: accounts.find((account) => account.id === id)?.username ?? "",
      accessToken: tokens.access_token,
      accessTokenSecret: tokens.access_token_secret,
    });
    this.#left.delete(id);
  }

  async #setClock(by: number): Promise<void> {
    const { now } = await this.#rig.control.get<{ now: string }>("/clock");
    await this.#rig.control.post("/clock", { set: new Date(Date.parse(now) + by).toISOString() });
  }
}
