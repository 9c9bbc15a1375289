// Rows that are pasted, and a file that is chosen, are read at once: it saves nothing. Without this script, a button does it.

const form = document.querySelector('#f-table').form
const read = () => form.requestSubmit(form.querySelector('[value=read]'))

form.elements.table.addEventListener('input', ({ inputType, target }) => {
  if (inputType === 'insertFromPaste' && target.value.trim().includes('\n')) read()
})
form.elements.file.addEventListener('change', ({ target }) => target.files.length > 0 && read())
