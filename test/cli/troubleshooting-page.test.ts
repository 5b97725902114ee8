import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { cellsOf } from "../helpers/cells-of";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { DevidProcess } from "./devid-process";
import { textOf } from "../helpers/repository";
import { blockOf, sectionOf } from "../helpers/page-blocks";

// What docs/troubleshooting.md quotes is what devid and the local service print.

const PAGE = textOf("docs/troubleshooting.md");

const workspace = openForTests(new LocalWorkspace());

/** The quote of a section of the page, up to its ellipsis. */
function quoted(heading: string): string {
  const quote = blockOf(sectionOf(PAGE, heading), "console");
  return quote.split("...")[0]?.trim() ?? "";
}

it("quotes the error of a port in use", async () => {
  const { port } = new URL(workspace.url);
  const { stderr } = await DevidProcess.run(["serve", "--port", port]);
  expect(stderr.replaceAll(port, "8787").trim()).toBe(
    quoted("Port 8787 is in use"),
  );
});

it("quotes the refusal of another Host", async () => {
  const headers = { host: "devid.example" };
  const call = request(`${workspace.url}/management/environments`, { headers });
  call.end();
  const [response] = (await once(call, "response")) as [IncomingMessage];
  const answer = await text(response);
  expect(answer).toContain(
    quoted("403: the header Host must name a loopback host"),
  );
});

/** A heading of the page, a command, and a setting. */
const PRINTED = `
403 wrong_region | events search | DEVID_REGION=eu
A search finds no events | events search
A device without reputation stops a preview | drn get nobody
The service could not be reached | whoami | DEVID_ENDPOINT=http://127.0.0.1:9
A key would be sent without encryption | whoami | DEVID_ENDPOINT=http://192.0.2.1
`;

it.each(cellsOf(PRINTED))("quotes what is printed of: %s", async (...row) => {
  const [heading = "", args = "", setting = ""] = row;
  const [name = "", value] = setting.split("=");
  const env = { ...workspace.env, ...(value && { [name]: value }) };
  const { stderr } = await DevidProcess.run(args.split(" "), env);
  expect(
    stderr
      .replace("without a filter", "by start, end")
      .replace("http://127.0.0.1:9", "https://service.example")
      .replace(/\d+ attempts?/, "5 attempts"),
  ).toContain(quoted(heading));
});
