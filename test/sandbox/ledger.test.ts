import { describe, expect, it } from "vitest";
import { AREAS } from "../../src/sandbox/areas.ts";
import { Router } from "../../src/sandbox/kernel/router.ts";

const name = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

describe("the fidelity ledger", () => {
  it.each(AREAS)("of $name tells of every route of the area, and of no other", (area) => {
    const told = area.ledger.filter((row) => "path" in row).map(name);

    expect(told.sort()).toEqual(area.routes.map(name).sort());
  });

  it("has no route twice", () => {
    expect(() => new Router(AREAS.flatMap(({ routes }) => routes))).not.toThrow();
  });
});
