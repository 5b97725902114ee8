import { describe, expect, it } from "vitest";
import { proxyOf } from "../../../sdk/src/http/proxy";

describe("the proxy", () => {
  it.each<[string, string, string | undefined]>([
    ["https://a.example", "", "HTTPS_PROXY"],
    ["http://a.example", "", "HTTP_PROXY"],
    ["https://a.example", "*", undefined],
    ["https://a.example", "b.example, A.example", undefined],
    ["https://x.a.example", "a.example", undefined],
    ["https://x.a.example", "*.a.example", undefined],
    ["https://xa.example", "a.example", "HTTPS_PROXY"],
    ["https://a.example", ".a.example:443", undefined],
    ["https://a.example", "a.example:8443", "HTTPS_PROXY"],
    ["http://a.example:8080", "b.example a.example:8080", undefined],
    ["https://10.1.2.3:8443", "10.0.0.0/8", undefined],
    ["https://10.1.2.3:8443", "10.0.0.0/8:8443", undefined],
    [
      "https://11.1.2.3",
      "10.0.0.0/8,11.1.2.3/33,11.1.2.3/x,11.1.2.3/",
      "HTTPS_PROXY",
    ],
    ["https://11.1.2.3", "1.2.3,.3", "HTTPS_PROXY"],
    ["https://a.example", "0.0.0.0/0,::/0", "HTTPS_PROXY"],
    ["https://[fd00::1]", "fd00::1", undefined],
    ["https://[fd00::1]", "FD00:0:0::1", undefined],
    ["https://[fd00::1]", "[fd00::1]", undefined],
    ["https://[fd00::1]:8443", "[fd00::1]:8443", undefined],
    ["https://[fd00::1]:8443", "[fd00::1]:443,fd00::2", "HTTPS_PROXY"],
    ["https://[fd00::1]", "10.0.0.0/8 fc00::/7", undefined],
    ["https://[::1]", "", undefined],
    ["https://x.localhost", "", undefined],
    ["http://127.0.0.1:9", "", undefined],
    ["http://localhost", "", undefined],
  ])("of %s, with NO_PROXY %j: %s", (url, NO_PROXY, variable) => {
    const env = { HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://q:1" };
    expect(proxyOf(new URL(url), { ...env, NO_PROXY })?.variable).toBe(
      variable,
    );
  });

  it("of https is the one of http, if there is no other", () => {
    const url = new URL("https://a.example");
    const of = (env: NodeJS.ProcessEnv) => proxyOf(url, env)?.variable;
    const HTTP_PROXY = "http://p:1";
    expect(of({ HTTP_PROXY })).toBe("HTTP_PROXY");
    expect(of({ HTTP_PROXY, HTTPS_PROXY: "" })).toBe("HTTP_PROXY");
    // The name in small letters wins, also if it is blank.
    expect(of({ HTTP_PROXY, http_proxy: "" })).toBe(undefined);
    expect(of({})).toBe(undefined);
  });
});
