import * as z from "zod";

/** An id in the JSON body of a request to the data interface. */
export const idInput = z.string().regex(/^[0-9]{1,19}$/, "does not match ^[0-9]{1,19}$");
