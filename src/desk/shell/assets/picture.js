// Shows a chosen picture at once, takes one that is dropped or pasted, and tells what the service would refuse. The field
// sends it with its form, also without this script.

for (const box of document.querySelectorAll('[data-picture]')) {
  const input = box.querySelector('[type=file]')
  const news = box.querySelector('[data-news]')
  const without = news.nextElementSibling
  const rules = JSON.parse(input.dataset.rules)
  const thumbnail = box.querySelector('.thumbnail') ?? Object.assign(new Image(), { className: 'thumbnail', alt: '' })
  /** The picture that the record has. */
  const saved = thumbnail.getAttribute('src')
  let address

  const show = (shown, text = '', kind = 'hint') => {
    if (address && address !== shown) URL.revokeObjectURL(address)
    address = shown
    without.hidden = !shown
    news.className = kind
    news.textContent = text
    thumbnail.onload = thumbnail.onerror = null
    if (shown ?? saved) {
      thumbnail.src = shown ?? saved
      if (!thumbnail.isConnected) input.closest('.field').before(thumbnail)
    } else thumbnail.remove()
  }
  const empty = (...why) => {
    input.value = ''
    show(undefined, ...why)
    // Others that look at the form hear of it, as of every change.
    input.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const choose = ([file]) => {
    if (!file) return without.hidden || show()
    const say = (key, most = '') => rules[key].replace('{name}', () => file.name).replace('{most}', most)
    const refuse = (...why) => empty(say(...why), 'fault')
    const most = rules.maxMegapixels[file.type]
    if (!most) return refuse('kind')
    if (file.size > rules.maxBytes) return refuse('large')
    show(URL.createObjectURL(file), say('chosen'))
    thumbnail.onerror = () => refuse('broken')
    thumbnail.onload = () => {
      if (thumbnail.naturalWidth * thumbnail.naturalHeight > most * 1e6) refuse('pixels', most)
    }
    const described = box.querySelector('[name^=alt]')?.closest('details')
    if (described) described.open = true
  }
  /** Gives the field a file that came another way. */
  const take = (event, data) => {
    const one = new DataTransfer()
    const fold = box.closest('details')
    event.preventDefault()
    if (fold) fold.open = true
    one.items.add(data.files[0])
    input.files = one.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    box.scrollIntoView({ block: 'nearest' })
  }

  box.querySelector('[data-drop]').hidden = false
  input.addEventListener('change', () => choose(input.files))
  without.addEventListener('click', () => {
    empty()
    input.focus()
  })
  for (const name of ['dragover', 'dragleave', 'drop'])
    box.addEventListener(name, (event) => {
      const isFile = event.dataTransfer.types.includes('Files')
      box.classList.toggle('dropping', isFile && name === 'dragover')
      if (isFile && name === 'dragover') event.preventDefault()
      if (name === 'drop' && event.dataTransfer.files.length > 0) take(event, event.dataTransfer)
    })
  // What is pasted as text has its own place. Programs for texts add a picture of it.
  document.addEventListener('paste', (event) => {
    const { files, types } = event.clipboardData
    if (!event.defaultPrevented && files.length > 0 && !types.includes('text/plain')) take(event, event.clipboardData)
  })
}
