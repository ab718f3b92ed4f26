/** Entry point for other folders: the bot's accounts and their sealed tokens. */
export { loginCommand } from "./accounts/account-alarm.ts";
export { copyAccounts, openAccounts } from "./accounts/registry.ts";
export { SealError, sealKey } from "./accounts/seal.ts";
export { openStoredAccounts, sealedAccountsOf, storedHandles } from "./accounts/stored-accounts.ts";
export { handlesIn, withAccounts } from "./accounts/with-accounts.ts";
export { seedSandbox } from "./platform/seed-sandbox.ts";
