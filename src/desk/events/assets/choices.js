// A typed filter for a long list of boxes. The list is one stop of the Tab key, and the arrow keys move in it. Without
// scripts, it is a list that scrolls.

const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

for (const group of document.querySelectorAll('[data-filter]')) {
  const filter = group.querySelector('[type=search]')
  const rows = [...group.querySelectorAll('.check')]
  const shownBoxes = () => rows.filter(({ hidden }) => !hidden).map((row) => row.control)
  const makeStop = (stop) => {
    for (const { control } of rows) control.tabIndex = control === stop ? 0 : -1
  }
  const show = () => {
    const words = plain(filter.value).split(/\s+/)
    for (const row of rows) row.hidden = !words.every((word) => plain(row.textContent).includes(word))
    makeStop(shownBoxes()[0])
  }
  filter.hidden = false
  show()
  filter.addEventListener('input', show)
  group.addEventListener('keydown', (event) => {
    const boxes = shownBoxes()
    const place = boxes.indexOf(event.target)
    const next = { ArrowDown: boxes[place + 1], ArrowUp: boxes[place - 1] ?? filter }[event.key]
    if (event.key === 'Enter' && event.target === filter && filter.value !== '') boxes[0]?.click()
    else if (next) {
      if (next !== filter) makeStop(next)
      next.focus()
    } else return
    event.preventDefault()
  })
}
