import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAsShown, stepsOf } from './markdown.ts'

const fence = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

test('commands are read with what a page says of them and with what they print', () => {
  const page = [
    '# Page\n',
    fence('sh', 'ls'),
    'It shows:\n',
    fence('text', 'a\nb'),
    fence('ts', "console.log('c')"),
    fence('text', 'c'),
    '<!-- run: keeps running -->',
    fence('sh', 'serve'),
    '<!-- run: not here, because there is no\nother machine -->',
    fence('sh', 'ssh vault'),
    '<!-- run: fails -->',
    fence('sh', 'false'),
    '<!-- run:\nmkdir before\n-->',
    fence('json', '{}'),
  ].join('\n')

  const steps = stepsOf(page)

  assert.deepEqual(
    steps.map(({ line: _line, ...step }) => step),
    [
      { commands: 'ls', isLasting: false, isFailing: false, printed: 'a\nb' },
      { commands: 'serve', isLasting: true, isFailing: false },
      { commands: 'ssh vault', isLasting: false, isFailing: false, notHere: 'there is no\nother machine' },
      { commands: 'false', isLasting: false, isFailing: true },
      { commands: 'mkdir before', isLasting: false, isFailing: false },
    ],
  )
  assert.equal(page.split('\n')[(steps[0]?.line ?? 0) - 1], 'ls')
})

test('a sign that is not known, has no reason or stands before nothing is refused', () => {
  assert.throws(() => stepsOf(`<!-- run: sometimes -->\n${fence('sh', 'ls')}`), /not known/)
  assert.throws(() => stepsOf(`<!-- run: not here, because -->\n${fence('sh', 'ls')}`), /not known/)
  assert.throws(() => stepsOf('<!-- run: fails -->\n'), /follows/)
  assert.throws(() => stepsOf(fence('text', 'ls')), /no command/)
  assert.throws(() => stepsOf(fence('bash', 'ls')), /block of sh/)
})

test('… stands for anything on a line, and alone for any lines', () => {
  assert.ok(isAsShown('id 12, at 14:00\n', 'id …, at …'))
  assert.ok(isAsShown('first\nsecond\nthird\nlast\n', 'first\n…\nlast'))
  assert.ok(isAsShown('first\nlast\n', 'first\n…\nlast'))
  assert.ok(!isAsShown('first\nsecond\n', 'first'))
  assert.ok(!isAsShown('first\n', 'first\nsecond'))
  assert.ok(!isAsShown('a.b', 'a+b'))
})
