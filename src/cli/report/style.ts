// The style of the report: the colours of the console, light and dark as the reader's system is, wide and narrow.
export const STYLE = `
:root{color-scheme:light dark;
--ground:light-dark(#f7f7f5,#121316);--surface:light-dark(#fff,#191b1f);--line:light-dark(#e3e3df,#2a2d33);
--text:light-dark(#1c1c1a,#e7e7e4);--dim:light-dark(#5d5d58,#a0a3aa);--accent:light-dark(#2f4fc0,#93abff);
--spent:light-dark(#178a50,#4fbf86);--spent-ground:light-dark(#e2f3e9,#14301f);--spent-text:light-dark(#0f6238,#74d6a1);
--mention:light-dark(#d9a13a,#c08a2c);--heard:light-dark(#c9c9c3,#3f434b);--quiet-ground:light-dark(#f0f0ed,#24272d)}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:1080px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:28px;line-height:1.2;letter-spacing:-.02em;margin:18px 0 6px;text-wrap:balance}
h2{font-size:19px;letter-spacing:-.01em;margin:40px 0 12px;overflow-wrap:anywhere}
h3{font-size:13px;font-weight:600;color:var(--dim);margin:0 0 8px}
p{margin:0 0 10px}ol,ul{margin:0;padding:0;list-style:none}
.brand{display:flex;align-items:center;gap:9px;font-weight:650;letter-spacing:-.01em}.brand svg{width:24px;height:24px}
.dim,figcaption,.axis,.legend,footer{color:var(--dim)}.small,figcaption,.axis,.legend,footer{font-size:13px}
.card{background:var(--surface);border:1px solid var(--line);border-radius:10px;padding:18px}
.figures{display:grid;grid-template-columns:repeat(3,1fr);gap:14px;margin-top:22px}
.figures b{display:block;font-size:34px;line-height:1.15;letter-spacing:-.02em;font-weight:650;font-variant-numeric:tabular-nums}
.figures .first b{color:var(--spent-text)}
.grid{display:grid;grid-template-columns:1fr 1fr;gap:14px;margin-top:14px}.grid>*{min-width:0}
.bars{display:grid;gap:8px}.bars li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:2px 12px;align-items:baseline}
.bars li>span{overflow-wrap:anywhere}.bars .n{font-variant-numeric:tabular-nums}
.bar{grid-column:1/-1;height:8px;border-radius:4px;background:var(--quiet-ground);overflow:hidden}
.bar i{display:block;height:100%;min-width:2px;border-radius:4px;background:var(--heard)}
.bar .spent{background:var(--spent)}.bar .mention{background:var(--mention)}
figure{margin:0 0 14px}figcaption{margin-bottom:4px}figure svg{display:block;width:100%;height:120px;border-bottom:1px solid var(--line)}
figure svg.messages{height:64px}
rect.spent{fill:var(--spent)}rect.mention{fill:var(--mention)}rect.heard{fill:var(--heard)}
.axis,.legend{display:flex;justify-content:space-between;margin:0}.legend{justify-content:flex-start;flex-wrap:wrap;gap:4px 18px;margin-bottom:12px}
.key{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.key.spent{background:var(--spent)}.key.mention{background:var(--mention)}.key.heard{background:var(--heard)}
.wide{overflow-x:auto;margin:0 -18px;padding:0 18px}.wide+p{margin:10px 0 0}
a{color:var(--accent)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th,td{text-align:right;padding:7px 0 7px 18px;border-top:1px solid var(--line);white-space:nowrap}
th{font-size:13px;font-weight:600;color:var(--dim);border-top:0}
th:first-child,td:first-child{text-align:left;padding-left:0;white-space:normal;overflow-wrap:anywhere;min-width:110px}
details{margin-top:12px}summary{cursor:pointer;color:var(--accent);font-size:13px}summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.example{padding:12px 0;border-top:1px solid var(--line)}.example:first-of-type{border-top:0;padding-top:0}
.example p{margin:0;overflow-wrap:anywhere}.example .said{margin:2px 0 6px}
.chip{display:inline-block;padding:2px 9px;border-radius:999px;font-size:13px;background:var(--quiet-ground);color:var(--dim);overflow-wrap:anywhere}
.chip.woken{background:var(--spent-ground);color:var(--spent-text)}
.example details{margin-top:4px}.example ol{padding:6px 0 0 18px;list-style:decimal;font-size:13px;color:var(--dim)}
.notes{display:grid;gap:8px}.notes li{overflow-wrap:anywhere}
code{font:13px ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;overflow-wrap:anywhere}
footer{margin-top:40px}
@media (max-width:720px){main{padding:20px 14px 40px}h1{font-size:23px}.figures,.grid{grid-template-columns:1fr}.figures b{font-size:28px}.card{padding:14px}.wide{margin:0 -14px;padding:0 14px}th,td{padding-left:10px}th:first-child,td:first-child{min-width:84px}}
@media print{body{background:#fff}.card{break-inside:avoid}details{display:none}}
`;
