import { expect, it } from "vitest";
import { closing } from "../../src/runtime/closing.ts";
import { openLog } from "../../src/runtime/log.ts";

it("lets go in reverse order, once, and goes on where one can't be let go", async () => {
  const gone: string[] = [];
  const told: string[] = [];
  const taken = closing(openLog({ level: "error", destination: { write: (s) => told.push(s) } }));
  taken.add("the store", async () => void gone.push("store"));
  taken.add("the leases", () => Promise.reject(new Error("disk full")));
  taken.add("the server", async () => void gone.push("server"));

  await Promise.all([taken.close(), taken.close()]);
  await taken.close();

  expect(gone).toEqual(["server", "store"]);
  expect(told.join("")).toContain("the leases could not be closed");
});
