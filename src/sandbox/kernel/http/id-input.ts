import * as z from "zod";

/** Schema of an id in the JSON body of a request to API v2. */
export const idInput = z.string().regex(/^[0-9]{1,19}$/, "does not match ^[0-9]{1,19}$");
