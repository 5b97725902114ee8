import { EdgeVM } from "@edge-runtime/vm";
import { expect, it } from "vitest";
import { bundled, RECEIVE } from "../bundle-for-web";

it("webhooks are verified and parsed in an edge runtime, which has nothing of Node", async () => {
  // A bundle for browsers fails where a module of Node is asked for.
  const code = await bundled(`${RECEIVE} globalThis.answer = answer;`);
  const runtime = new EdgeVM();
  runtime.evaluate(`(() => { ${code} })()`);
  expect(await runtime.evaluate("answer")).toEqual({
    id: "1.a",
    problem: "unsigned",
  });
});
