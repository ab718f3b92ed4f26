/** Under this name a store that was brought back has when its backup was taken, in milliseconds. */
export const RESTORED_FROM = "restored-from";
