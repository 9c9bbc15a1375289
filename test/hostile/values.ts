import { attacks } from '../support/attacks.ts'
import { disguisedFiles } from '../support/disguised.pictures.ts'
import { hostileUrls } from '../support/hostile.urls.ts'

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`

const sqlFragments = [
  ...[`' OR '1'='1`, `'; DROP TABLE records; --`, '1) UNION ALL VALUES (1,2,3)--', '%', '_%_\\', '\\', '$1', '?1'],
  ...[':id', '"', "''", 'a* OR b NEAR(c)', '"unclosed', '-a -b', '((('],
]

const dates = [
  ...['0000-00-00 00:00:00', '9999-12-31 23:59:59', '10000-01-01', '-1', '+275760-09-13', '2030-02-30', '2030-13-01'],
  ...['2030-99-99 10:00', '2030-05-03 99:99', '2030-05-03 24:00', '9999-12-31 24:00', '5%5%5%5%5%2'],
  ...['now', 'tomorrow', 'next year', '+99999999999 days', '-999999999999 years', '@99999999999999', 'last day of'],
  ...['2030-03-31 02:30:00', '0001-01-01', '2030-01-01T00:00:00+99:99', '2030-W99-9', '1e9', '24:00', '23:59:60'],
  ...['UTC+14', 'UTC-99', 'Etc/GMT+12', 'America/Nowhere', '../etc/passwd', 'Europe/../Paris', 'UTC+5:45'],
]

const words = [
  ...['', ' ', '0', '00', 'null', 'undefined', 'NaN', 'Infinity', '-0', '0x10', '1e1000', '1,', ',', ',,,', 'true'],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'length', 'then'],
  ...['../../../../etc/passwd', '..\\..\\windows', 'file:///etc/passwd', '/', '//', '.', '..', '%2e%2e%2f', '~'],
  ...['{{7*7}}', '<%= 7 %>', '#{7}', '$(id)', '`id`', '| id', '\r\nSet-Cookie: a=b', '\t\v\f\b'],
  ...['€5 - €7.50', '1.234,50', '$', '-5', '99999999999999999999999', '5 - 10 - 15', '1e308', '1'.repeat(400)],
  ...['publish', 'trash', 'future', 'draft', 'any', 'auto-draft', 'inherit', 'fr-CA', 'en', 'xx-YY', 'fr_CA'],
  ...['canceled', 'https://schema.org/EventCancelled', 'postponed,rescheduled', 'moved_online', 'online', 'registered'],
  ...['a@b', '+1 (514) 555-0100;ext=1', 'id,title.rendered,__proto__.x', 'a.'.repeat(500), 'title asc; --'],
]

/** Marks that a normal form puts into another order. Sorting a run of them takes long. */
const marks = (pairs: number) => `a${'\u0301\u0323'.repeat(pairs)}`

const characters = [
  ...['\0', 'a\0b', '\u202e\u2066\u200b\ufeff', 'e\u0301'.repeat(200), '\u0301'.repeat(3000), '👩‍👩‍👧‍👦'.repeat(50)],
  ...['İıſßﬃ', 'Å\u212b', '\u{10ffff}', '\uffff\ufffe', '漢字'.repeat(300), '\ud800', '\udfff\ud800', '\u2028\u2029'],
  ...[marks(31), marks(900), marks(4000)],
  ...['𝕳𝖊𝖑𝖑𝖔', '\u0085\u00a0', '\x1b[31m', 'ᾳ'.repeat(250), '﷽'.repeat(200), '٣', '１２３'],
]

const long = [
  ...[
    'x'.repeat(300),
    'x'.repeat(5000),
    ' '.repeat(10_000),
    '<'.repeat(20_000),
    '<b>'.repeat(5000),
    '&'.repeat(10_000),
  ],
  ...['[['.repeat(5000), '"'.repeat(10_000), '\n'.repeat(10_000), '1,'.repeat(5000), '-'.repeat(10_000)],
  ...['https://a/'.repeat(900), '%'.repeat(5000), '\\'.repeat(10_000), '9'.repeat(10_000), 'a b '.repeat(5000)],
  ...['*'.repeat(5000), '<!--'.repeat(3000), '<a href="'.repeat(3000), '&#'.repeat(8000), '+1 day '.repeat(2000)],
]

/** Texts that may break some part of the service. */
export const hostileTexts: readonly string[] = [...sqlFragments, ...dates, ...words, ...characters, ...long]
/** Texts that fit only into a body, of 1 MB at most, for code that compares, searches, cleans or folds texts. */
export const heaviestTexts: readonly string[] = [
  ...[marks(249_000), marks(30_000), '\u0301'.repeat(500_000), 'ﷺ'.repeat(340_000), 'ab '.repeat(330_000)],
  ...['<b>'.repeat(340_000), '&'.repeat(1_000_000)],
]
export const hostileMarkup: readonly string[] = [...attacks, ...hostileUrls]

/** Files with the signature of a picture but another content, one character for each byte. */
export const disguisedPictures: readonly string[] = (await disguisedFiles()).map(({ bytes }) =>
  bytes.toString('latin1'),
)

/** Values as JSON texts, including some that `JSON.stringify` never writes. */
export const hostileJson: readonly string[] = [
  ...['null', 'true', 'false', '0', '-0', '-1', '1.5', '1e308', '1e400', '-1e400', '1e-400', '2147483648', '1e2'],
  ...['9007199254740993', '99999999999999999999', '9223372036854775808', '-9223372036854775809', '0.1e1'],
  ...['[]', '[[]]', '[null]', '[0]', '[-1]', '[1,1,1]', '["1",2,{"id":3}]', '[true,false]', '[[[[1]]]]', '[1e400]'],
  ...['{}', '{"0":1}', '{"id":1}', '{"id":{"id":{"id":1}}}', '{"length":1000000000}', '{"toString":null}'],
  ...['{"toString":1,"valueOf":2}', '{"toJSON":"x"}', '{"then":"x"}', '{"__proto__":{"polluted":1}}'],
  ...['{"constructor":{"prototype":{"polluted":1}}}', '{"__proto__":null}', '{"a":1,"a":2}', '{"":""}', '{"$ne":1}'],
  ...['"\\ud800"', '"\\udc00x"', '"\\u0000"', '["\\u0000"]', '{"\\u0000":1}', '"\\u202e"', '[{"__proto__":[]}]'],
  ...['{"title":{"toString":"x"}}', '{"name":"x","parent":"x"}', '{"venue":"x"}', '[{"venue":"x"},{"venue":"x"}]'],
  ...['{"organizer":"x","id":"1e1"}', '{"venue":["x"]}', '{"venue":{"a":1}}', '{"venue":"x","geo_lat":"1e999"}'],
  nested(50, '[', ']'),
  nested(31, '[', ']'),
  nested(30, '{"a":', '}'),
  nested(5000, '[', ']'),
  nested(50_000, '[', ']'),
  nested(2000, '{"a":', '}'),
  nested(20_000, '{"venue":', '}'),
  `[${Array(1001).fill('1').join()}]`,
  `[${Array(20_000).fill('0').join()}]`,
  `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":${index}`).join()}}`,
]

/** What makes a name in a query or form that of a list or an object. */
export const oddShapes = ['[]', '[x]', '[0]', '[__proto__]', '[', '[a][b]', '[length]', '[toString]'] as const
/** What a parameter of the path may be as well, elsewhere. */
export const oddValues: readonly unknown[] = [{ a: 3 }, [3], [], {}, [[1]], { toString: 1 }, null, true, '', 1e300]

/** Parts of addresses and forms, already encoded. */
export const hostileEncoded: readonly string[] = [
  ...['%', '%zz', '%ff%fe', '%c0%ae%c0%ae', '%ed%a0%80', '%f4%90%80%80', '%00', 'a%00b', '%0d%0aX:%20y', '%2500'],
  ...['%2F..%2F..%2Fetc%2Fpasswd', '%2e%2e', '+', '%2B', '%20', '%E2%80%AE', '%25', '\xff\xfe', '\xe9', '%5B%5D'],
  ...['1%2C2', '%u0041', ';', '&&', '==', '%3Cscript%3E', '*', '%F0%9F%98%80', '1'.repeat(3000), '%41'.repeat(1000)],
]

/** Whole pairs of queries and forms. */
export const hostilePairs: readonly string[] = [
  ...['__proto__[polluted]=1', 'constructor[prototype][polluted]=1', '__proto__=1', 'a[__proto__][polluted]=1'],
  ...['[]=1', '[=1', ']=1', '=', '==', '=1', 'a[b][c][d][e][f][g][h][i][j]=1', 'title[]=x', 'title[toString]=x'],
  ...['page[]=1', 'page[x]=1', 'status[]=publish&status[]=draft', 'search[]=x', 'hasOwnProperty=1', 'toString=1'],
  ...['_method=DELETE', '_method=__proto__', '_method=', '_method[]=PUT', '_method=PATCH', '_method=OPTIONS'],
  ...[
    '_jsonp=f',
    '_jsonp=a.b',
    '_jsonp=alert(1)',
    '_jsonp[]=x',
    '_jsonp=',
    '_jsonp=constructor',
    '_envelope',
    '_pretty',
  ],
  ...['_envelope=1&_jsonp=f', '_fields=', '_fields[]=id', '_fields=__proto__', '_fields=a.b.c.d', '_fields[a][b]=c'],
  ...['_fields=data.status,code', '_fields=constructor.name,venue.id', '_wpnonce=x', '_wpnonce[]=', 'rest_route=/'],
  ...['rest_route[]=x', 'rest_route=/cal/events/v1/events/9', 'context=edit', 'context[]=x', 'force=true', 'force=1'],
  ...['ml_language=fr-CA', 'ml_language[]=en', 'ml_translation_of=9', 'ml_translation_of=-1', 'ml_translation_of[]=1'],
  ...['page=9007199254740991', 'per_page=0', 'per_page=1e2', 'page=1e15', 'per_page=-1', 'page=922337203685477580'],
  ...['geoloc=1', 'geoloc_lat=90&geoloc_lng=180&radius=1e9', 'geoloc_lat=NaN&geoloc_lng=1', 'radius=-1', 'include=1,2'],
  ...['event_status=canceled,scheduled', 'event_status[a]=canceled', 'attendance=online', 'attendance[]=mixed'],
  ...['password=x', 'password[]=x', 'event_password=x', 'strict_dates=1', 'strict_dates[]=1', 'starts_after=now'],
  Array.from({ length: 1100 }, (_, index) => `p${index}=1`).join('&'),
  `include=${Array(1001).fill('1').join('%2C')}`,
  `a${'[x]'.repeat(1000)}=1`,
]

const headerValues: Readonly<Record<string, readonly string[]>> = {
  'X-HTTP-Method-Override': [
    'DELETE',
    'PUT',
    'patch',
    'OPTIONS',
    'HEAD',
    'TRACE',
    '__proto__',
    '',
    'GET, DELETE',
    '\xff',
  ],
  'X-WP-Nonce': ['x', '', 'a'.repeat(5000)],
  Range: ['bytes=0-', 'bytes=0-0,1-1', 'bytes=-1', 'bytes=9-1', 'bytes=99999999999999999999-', 'lines=1-2', 'bytes='],
  'If-None-Match': ['*', '"x"', 'W/"x"', '","', '"'.repeat(3000), `${'"a",'.repeat(2000)}"b"`, '\xff'],
  'If-Match': ['"x"'],
  'If-Range': ['"x"'],
  'If-Modified-Since': ['Thu, 99 Foo 9999'],
  Authorization: ['Basic', 'Basic !!!', 'Basic YQ==', 'Basic OjpAOg==', 'Bearer x', 'Basic /////w==', 'basic YTpi'],
  // A folded line (RFC 9112, 5.2), and bytes that no field may contain.
  'X-Folded': ['a\r\n b', 'a\r\n\tContent-Length: 5', 'a\n b', 'a\0b', '\x7f'],
  Host: ['evil.example', '', 'a b', '[::1', 'localhost:99999', 'x'.repeat(300), '\xff', 'user@evil.example', 'a,b'],
  Origin: ['null', 'https://evil.example', '\xff', 'a'.repeat(4000)],
  'Accept-Encoding': ['gzip', 'br', 'identity', 'x', '*;q=0'],
  'Accept-Language': ['fr', 'fr-CA;q=1e9', '*', ',;,;', 'x'.repeat(3000), 'en-\xff'],
  Accept: ['text/event-stream', '*/*;q=x', ''],
  Expect: ['100-continue', 'x'],
  Connection: ['keep-alive, content-type', 'Upgrade', '\xff'],
  Upgrade: ['websocket', 'h2c'],
  'X-Forwarded-Host': ['evil.example, a b'],
  'X-Forwarded-Proto': ['gopher'],
  'X-Forwarded-For': ['1.2.3.4, x'],
  Forwarded: ['host=;;;'],
  Cookie: ['__proto__=x; a'],
  'X-Request-Id': ['<script>'.repeat(50)],
  'X-Original-URL': ['/docs'],
  'Access-Control-Request-Method': ['x'],
  'Content-Encoding': ['gzip', 'x'],
  'Content-Disposition': ['attachment; filename="../../x.png"', "attachment; filename*=UTF-8''%ff%00.png"],
  'Content-Length': ['5', '0', '-1', '99999999999999999999', '2000000'],
  'Transfer-Encoding': ['chunked', 'gzip, chunked', 'identity'],
  constructor: ['x'],
  'Bad Header': ['x'],
  'X-Long': ['x'.repeat(20_000)],
  // RFC 9651, 3.3.3: a key is a string in quotes.
  'Idempotency-Key': [
    ...[
      '"a"',
      '"b"',
      'a',
      '',
      '""',
      '"',
      '"a',
      '"\\"',
      '"a", "b"',
      '"\xff"',
      ':YQ==:',
      '1',
      '?1',
      '__proto__',
      '"a";x=1',
    ],
    `"${'a'.repeat(255)}"`,
    `"${'a'.repeat(5000)}"`,
  ],
  'X-Control': ['a\x01b'],
}

/** Header fields that change the meaning of a request, or try to. */
export const hostileHeaders: readonly (readonly [name: string, value: string])[] = [
  ...Object.entries(headerValues).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ['__proto__', 'x'],
]

export const oddContentTypes: readonly string[] = [
  ...['', ';', 'application/json', 'APPLICATION/JSON; charset=utf-16', 'application/json; charset="', 'text/json'],
  ...[
    'application/ld+json',
    'application/__proto__',
    'text/plain',
    'text/xml',
    'application/octet-stream',
    '\xff/\xfe',
  ],
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary="', 'multipart/mixed'],
  ...['multipart/form-data; boundary=x; boundary=y', `multipart/form-data; boundary=${'x'.repeat(3000)}`],
  ...['application/x-www-form-urlencoded; charset=utf-7', 'image/png', 'image/svg+xml', 'application/json,text/plain'],
]

/** The boundary of all multipart bodies here. */
export const boundary = 'x'

/** Bodies that are malformed, for any declared type. */
export const brokenBodies: readonly string[] = [
  ...['{', '[', '"', '{"title":', '{"title":"x"', '{"a":01}', '{a:1}', '{"a":NaN}', '\xef\xbb\xbf{}', 'nul', '{}{}'],
  ...[
    '{"title":"\xff\xfe"}',
    '{"title":"\xed\xa0\x80"}',
    '\xff\xfe{\0}\0',
    '{"a":"\t"}',
    '[1,]',
    '{"a":0x10}',
    ' ',
    '\0',
  ],
  ...[
    '1',
    'null',
    '"x"',
    '[]',
    '[{"title":"x"}]',
    'true',
    '--',
    '--x--\r\n',
    '--x\r\n',
    '--x\r\n\r\n',
    '\x1f\x8b\x08\0',
  ],
  ...[
    'title=%ff%fe&x',
    'title=\xff\xfe',
    '&&&=&',
    'a'.repeat(100_000),
    '--x\r\nContent-Disposition: form-data\r\n\r\nx',
  ],
  '--x\r\nContent-Disposition: form-data; name="title"\r\n\r\nx',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n\x89PNG\r\n\x1a\n\r\n--x--\r\n',
  '--x\r\nContent-Disposition: form-data; name="__proto__[x]"\r\n\r\n1\r\n--x--\r\n',
  `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(50_000)}"\r\n\r\n1\r\n--x--\r\n`,
  `--x\r\n${'X: y\r\n'.repeat(3000)}\r\n1\r\n--x--\r\n`,
  'x'.repeat(1024 * 1024 + 1),
  '5\r\nhello\r\n0\r\n\r\n',
  'zz\r\nhello\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n',
]
