// Addresses with which an attacker could make the service send a request to an internal machine. The service must
// connect to none of them.

const ports = [
  'http://example.org:22/',
  'http://example.org:6379/',
  'https://example.org:8443/',
  'http://example.org:25/',
  'http://example.org:0/',
  'https://example.org:80443/',
]

const schemes = [
  ...['file:///etc/passwd', 'ftp://example.org/a.jpg', 'gopher://127.0.0.1:6379/_INFO', 'data:image/png;base64,AAAA'],
  ...[
    'javascript:alert(1)',
    'dict://127.0.0.1:11211/',
    'ldap://127.0.0.1/',
    'jar:http://127.0.0.1!/',
    'blob:x',
    'about:blank',
  ],
  ...['//127.0.0.1/a.jpg', 'http:/\\127.0.0.1/', 'http:127.0.0.1', 'http://', 'https://', 'not an address', ''],
]

const credentials = [
  'http://user@example.org/',
  'http://user:secret@example.org/',
  'http://:secret@example.org/',
  'http://127.0.0.1@example.org/',
]

/** Hosts that resolve to an internal address, in every notation. */
const hosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '017700000001',
    '127.255.255.254',
  ],
  ...['0.0.0.0', '0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '167772161', '0xa000001', '012.0.0.1'],
  ...['172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255', '3232235521', '169.254.169.254', '0xa9fea9fe'],
  ...['100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295'],
  ...['①②⑦.⓪.⓪.①', '127。0。0。1', '１２７.0.0.1', '127.0.0.1.', '%31%32%37.0.0.1'],
  ...[
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::127.0.0.1]',
  ],
  ...['[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]', '[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::1]'],
  ...['[100::1]', '[2001::1]', '[2001:10::1]', '[2001:20::1]', '[2001:db8::1]', '[2002:7f00:1::]', '[2002:a00:1::1]'],
  ...['[fc00::1]', '[fd00::1]', '[fd12:3456:789a::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]'],
  ...['[3fff::1]', '[4000::1]', '[5f00::1]', '[2620:4f:8000::1]', '[::ffff:0.0.0.0]', '[fd00:ec2::254]'],
  // Metadata services of clouds, which give secrets to their machines.
  ...['168.63.129.16', '0xa83f8110', '100.100.100.200', '192.0.0.192', '169.254.170.2', '[fd20:ce::254]'],
]

export const hostileUrls: readonly string[] = [
  ...schemes,
  ...credentials,
  ...ports,
  ...hosts.map((host) => `http://${host}/a.jpg`),
  ...hosts.slice(0, 30).map((host) => `https://${host}/a.jpg`),
]
