import { assumed } from "../kernel/ledger.ts";

/** Fidelity note of behaviour that is not documented and follows the live service. */
export const LIVE = assumed("Not documented; follows the live service.");

/** Fidelity note of the `POST` routes that receive the forms of the pages. */
export const FORM = assumed("Receives the form of the page.");
