import { describe, expect, it } from "vitest";
import { AREAS } from "../../src/sandbox/areas.ts";
import { startSandbox } from "../../src/sandbox/index.ts";
import { Router } from "../../src/sandbox/server/router.ts";

const name = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

interface Row {
  readonly method?: string;
  readonly path?: string;
  readonly behaviour?: string;
  readonly fidelity: string;
}

describe("the fidelity ledger", () => {
  it("has one row for each route, each with its fidelity", async () => {
    const sandbox = await startSandbox();
    const { ledger } = await sandbox.control.get<{ ledger: Row[] }>("/ledger");
    await sandbox.close();

    const endpoints = ledger.flatMap(({ method, path }) =>
      method === undefined || path === undefined ? [] : [name({ method, path })],
    );
    expect(endpoints).toEqual(AREAS.flatMap(({ routes }) => routes).map(name));
    expect(new Set(ledger.map(({ fidelity }) => fidelity))).toEqual(
      new Set(["documented", "assumed", "stricter"]),
    );
  });

  it("has no row about a behaviour twice", () => {
    const behaviours = AREAS.flatMap((area) => area.behaviours.map((row) => row.behaviour));
    expect(behaviours).toEqual([...new Set(behaviours)]);
  });

  it("has no route twice", () => {
    expect(() => new Router(AREAS.flatMap(({ routes }) => routes))).not.toThrow();
  });
});
