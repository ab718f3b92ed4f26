import { expect, it } from "vitest";
import { codeIn, verifierIn } from "../../../src/client/login/callback.ts";

it("is read without the fragment and the line break of a copied address", () => {
  const fragment = "#/home?oauth_verifier=x\n";

  expect(verifierIn(`https://bot.example/?oauth_token=t&oauth_verifier=v${fragment}`, "t")).toBe(
    "v",
  );
  expect(codeIn("/callback?state=s&code=c\n", "s")).toBe("c");
});

it("reports a refusal by the user only for the log-in that was refused", () => {
  const reasonOf = (callback: string): unknown => {
    try {
      return verifierIn(callback, "t");
    } catch (error) {
      return Object(error).reason;
    }
  };

  expect(["?denied=t", "?denied=other", "?denied=other&oauth_token=t"].map(reasonOf)).toEqual([
    "denied",
    "token-mismatch",
    "token-mismatch",
  ]);
});
