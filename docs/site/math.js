// Formulas: arithmatex marks them, KaTeX sets them.
document.addEventListener('DOMContentLoaded', () => {
  for (const one of document.querySelectorAll('.arithmatex')) {
    const display = one.textContent.startsWith('\\[')
    katex.render(one.textContent.slice(2, -2), one, { displayMode: display, throwOnError: false })
  }
})
