/** HTTP methods that routes answer; `HEAD` is served by the route of `GET`. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
