import { z } from "zod";
import { operation, type Operation } from "../http/operation";

/** `GET /hello`: docs/contract.md, "GET /hello". Tells that a key is good. */
export function helloOperations(): Operation[] {
  return [
    operation({
      name: "hello",
      method: "GET",
      path: "/hello",
      summary: "Check a management key",
      status: 200,
      answer: z.object({ data: z.object({ message: z.string() }) }),
      run: () => ({ data: { message: "Hello" } }),
    }),
  ];
}
