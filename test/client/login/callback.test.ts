import { expect, it } from "vitest";
import { codeIn, verifierIn } from "../../../src/client/login/callback.ts";

it("is read without the fragment and the line break of a copied address", () => {
  const fragment = "#/home?oauth_verifier=x\n";

  expect(verifierIn(`https://bot.example/?oauth_token=t&oauth_verifier=v${fragment}`, "t")).toBe(
    "v",
  );
  expect(codeIn("/callback?state=s&code=c\n", "s")).toBe("c");
});
