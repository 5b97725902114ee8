import { nearest } from "../set/nearest";

/** Headers of requests that browsers, crawlers and proxies send (IANA, HTTP field name registry; MDN). */
const KNOWN_HEADERS = [
  ...["Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language"],
  ...["Access-Control-Request-Headers", "Access-Control-Request-Method"],
  ...["Authorization", "Cache-Control", "Cf-Connecting-Ip", "Connection"],
  ...["Content-Encoding", "Content-Length", "Content-Type", "Cookie", "Date"],
  ...["Device-Memory", "Dnt", "Downlink", "Expect", "Forwarded", "From"],
  ...["Host", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range"],
  ...["If-Unmodified-Since", "Keep-Alive", "Max-Forwards", "Origin", "Pragma"],
  ...["Priority", "Proxy-Authorization", "Range", "Referer", "Save-Data"],
  ...["Sec-Ch-Ua", "Sec-Ch-Ua-Arch", "Sec-Ch-Ua-Bitness", "Sec-Ch-Ua-Mobile"],
  ...["Sec-Ch-Ua-Full-Version-List", "Sec-Ch-Ua-Model", "Sec-Ch-Ua-Platform"],
  ...["Sec-Ch-Ua-Platform-Version", "Sec-Fetch-Dest", "Sec-Fetch-Mode"],
  ...["Sec-Fetch-Site", "Sec-Fetch-User", "Sec-Gpc", "Sec-Purpose"],
  ...["Traceparent", "Tracestate", "True-Client-Ip", "Upgrade"],
  ...["Upgrade-Insecure-Requests", "User-Agent", "X-Forwarded-For"],
  ...["X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip", "X-Requested-With"],
];

/** Headers of which a request has one value at most (RFC 9110; Fetch standard). */
export const SINGLE_VALUED: ReadonlySet<string> = new Set([
  ...["Origin", "Referer", "User-Agent", "Host", "Content-Type", "Dnt"],
  ...["Authorization", "Sec-Fetch-Dest", "Sec-Fetch-Mode", "Sec-Fetch-Site"],
  ...["Sec-Fetch-User", "Sec-Ch-Ua-Mobile", "Sec-Ch-Ua-Platform", "Sec-Gpc"],
]);

const withoutSigns = (name: string) => name.toLowerCase().replace(/[-_]/g, "");
const BY_LETTERS = new Map(
  KNOWN_HEADERS.map((name) => [withoutSigns(name), name]),
);
const KNOWN = new Set(KNOWN_HEADERS);
/** Names that begin with X-, and the others: a name of the one kind is not like one of the other. */
const lettersOf = (isOwn: boolean) =>
  KNOWN_HEADERS.filter((name) => name.startsWith("X-") === isOwn).map(
    withoutSigns,
  );
const OWN_LETTERS = lettersOf(true);
const LETTERS = lettersOf(false);

/** Fewer letters than this are another name rather than a misspelt one. */
const SHORTEST = 5;
/** More letters than any known name has. */
const LONGEST = 40;

const looked = new Map<string, string | undefined>();
const MAX_LOOKED = 1_000;

/** The header whose name is misspelt; undefined for a known name, and for one like none. */
export function misspeltHeader(name: string): string | undefined {
  if (looked.has(name)) return looked.get(name);
  const found = KNOWN.has(name) ? undefined : likeHeader(name);
  if (looked.size >= MAX_LOOKED) looked.clear();
  looked.set(name, found);
  return found;
}

function likeHeader(name: string): string | undefined {
  const letters = withoutSigns(name);
  const isOwn = name.startsWith("X-");
  const known =
    BY_LETTERS.get(letters) ??
    (letters.length < SHORTEST || letters.length > LONGEST
      ? undefined
      : BY_LETTERS.get(
          nearest(
            letters,
            isOwn ? OWN_LETTERS : LETTERS,
            letters.length > 8 ? 2 : 1,
          ) ?? "",
        ));
  // A name with X- in front is one of its own, whatever it is like behind that.
  return known?.startsWith("X-") === isOwn ? known : undefined;
}
