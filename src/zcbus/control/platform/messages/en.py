"""English."""

MESSAGES = {
    "ok": "Done",
    "error": "The operation failed ({code})",
    "bad-request": "The request is not valid",
    "not-authenticated": "Please log in first",
    "session-expired": "Login expired, please log in again",
    "session-revoked": "This login is no longer valid, please log in again",
    "forbidden": "No access",
    "path-not-found": "There is nothing at this address",
    "console-missing": "The console is not built: run npm run build in the console folder",
    "method-not-allowed": "This request method is not supported here",
    "record-not-found": "The record does not exist or was deleted",
    "request-too-large": "The request is too large; the limit is {limit} bytes",
    "request-malformed": "The request has wrong or missing fields: {fields}",
    "nul-character": "Text must not contain NUL characters",
    "value-refused": "A value is too long or out of range",
    "too-many-requests": "Too many attempts, try again in {seconds} seconds",
    "server-error": "Server request exception",
    "store-busy": "The system is busy, please try again",
    "secret-unreadable": "A stored secret cannot be decrypted; check the key file in the data folder",
    "sort-unknown": "Sorting by {sort} is not possible",
}
