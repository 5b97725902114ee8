/** Codes of bad certificates. A certificate is checked before anything is sent. */
export const CERTIFICATE = /CERT|LEAF_SIGNATURE/;

/** What helps against failures of TLS, by their codes. The first row that matches counts. */
const TLS_ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /EXPIRED|NOT_YET_VALID/,
    "The certificate of the server is not valid at this time: check the clock of this machine, or have the certificate renewed.",
  ],
  [
    /ALTNAME_INVALID/,
    "The certificate of the server is for another host: check the configured address.",
  ],
  [
    CERTIFICATE,
    "Node does not trust the certificate of the server, or of a proxy that opens TLS: set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that signed it.",
  ],
  [
    /^(ERR_SSL|EPROTO)/,
    "No TLS was agreed on: the server may speak http or an old version of TLS at this port, or ask for a certificate of the client, which devid does not have. Check the configured address.",
  ],
];

/** What to do about a failure of TLS, in a sentence; undefined for other failures. */
export const tlsAdvice = (code: string): string | undefined =>
  TLS_ADVICE.find(([pattern]) => pattern.test(code))?.[1];
