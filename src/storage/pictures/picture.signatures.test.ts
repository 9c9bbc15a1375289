import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPolyglot } from './picture.signatures.ts'

test('a picture that contains a drawing is another file too, and one whose pixels look like its beginning is not', () => {
  const picture = (pixels: string) => Buffer.from(`\x89PNG\r\n\x1a\n${pixels}\xff\xd9`, 'latin1')
  for (const drawing of ['<svg>', '<SVG onload=alert(1)>', '<svg/onload=alert(1)>', '<svg\nxmlns="x">', '<svg:svg>'])
    assert.equal(isPolyglot(picture(drawing)), true, drawing)
  for (const pixels of ['<svg\x01', '<sVG\xa0', '<sv>', '<svgs>'])
    assert.equal(isPolyglot(picture(pixels)), false, pixels)
})
