import fc from "fast-check";
import { mixed, pick, wordOf } from "./random-words";

/** String and number literals in rare forms. */
export const literals: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      pick("'", '"', "`"),
      fc.array(
        wordOf(
          String.raw`a \n \' \" \x41 \u0041 \u{1f600} \U0001F600 \ud83d \101 \377 \477 \0 \q \\ ' é \u{} \x4 \?`,
          "``",
          "\r",
          "\n",
        ),
        { maxLength: 4 },
      ),
    )
    .map(
      ([quote, parts]) =>
        `${quote}${parts.join("")}${quote} == http.user_agent.string || ${quote}${parts.join("")}${quote} < 'b'`,
    ),
  mixed("0 1 9 _ . e E + - x X o b f 7 8", 6).chain((number) =>
    pick(" < 2", " == 1", " >= 17.5").map((rest) => number + rest),
  ),
);

const addresses = fc.oneof(
  mixed("1 0 01 255 256 . . : :: : ffff a 1.2.3.4 g %e 10.0.0.1", 8),
  fc.ipV4(),
  fc.ipV6(),
);

/** Valid and invalid networks, each with an address. */
export const networks = fc.record({
  expression: fc
    .tuple(
      addresses,
      fc.oneof(fc.integer({ min: -1, max: 130 }), pick("08", "", " 8")),
    )
    .map(([address, bits]) => `http.request.ip in cidr('${address}/${bits}')`),
  request: addresses.map((ip) => ({ headers: {}, ip })),
});
