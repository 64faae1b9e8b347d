"""/druid/index.html: connections and statements of the metadata store.

The page holds no figures: its script asks for them with the session of the console in the same browser. They are for
users who may see what concerns the whole platform, and only where the setting `metrics` shows figures.
"""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from starlette.concurrency import run_in_threadpool

from zcbus.control.operational import check_shown
from zcbus.control.platform.authorisation import authorise
from zcbus.control.platform.call import Rules, Unit, authenticate, services_of
from zcbus.control.platform.principal import Operation
from zcbus.control.store.statement_figures import figures_of

MAX_SHOWN = 200

router = APIRouter(include_in_schema=False)

_RULES = Rules(
    action="store_figures",
    access=authorise("system/bus-sys-parameter", Operation.VIEW),
    unit=Unit.OWN,
    audited=False,
    changes=False,
)


@router.get("/druid/index.html")
def page(request: Request) -> HTMLResponse:
    """The page without figures."""
    check_shown(request, services_of(request).settings.metrics)
    return HTMLResponse(_PAGE)


@router.get("/druid/index.js")
def script(request: Request) -> Response:
    """The page's script: the content policy takes none inside the page."""
    check_shown(request, services_of(request).settings.metrics)
    return Response(_SCRIPT, media_type="text/javascript")


@router.get("/druid/figures.json")
async def figures(request: Request) -> JSONResponse:
    """Connections of the pool and the statements that took the most time since this process started."""
    services = services_of(request)
    check_shown(request, services.settings.metrics)
    await run_in_threadpool(authenticate, request, _RULES)
    engine = services.database.engine
    pool: Any = engine.pool
    return JSONResponse(
        {
            "store": services.database.dialect,
            "pool": {"size": pool.size(), "inUse": pool.checkedout(), "idle": pool.checkedin()},
            "statements": [asdict(one) for one in figures_of(engine).slowest(MAX_SHOWN)],
        }
    )


_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>ZCBUS store</title><style>
body{font:14px system-ui;margin:2em auto;max-width:90em;padding:0 1em}table{border-collapse:collapse;width:100%}
th,td{padding:.2em .8em;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap;vertical-align:top}
th:last-child,td:last-child{text-align:left;white-space:normal;overflow-wrap:anywhere}
@media(prefers-color-scheme:dark){body{background:#14171c;color:#e6e6e6}th,td{border-color:#444}}
</style></head><body><main><h1>ZCBUS: metadata store</h1><p id="pool" role="status">…</p>
<table aria-label="Statements"><thead><tr><th>Executions</th><th>Errors</th><th>Total s</th><th>Mean ms</th>
<th>Longest ms</th><th>Statement</th></tr></thead><tbody id="statements"></tbody></table>
</main><script src="/druid/index.js"></script></body></html>"""

_SCRIPT = """const pool = document.getElementById('pool');
const body = document.getElementById('statements');
const token = () => {
  try {
    const kept = JSON.parse(localStorage.getItem('ZCBUS-TOKEN'));
    return kept && kept.expires > Date.now() ? kept.value : '';
  } catch {
    return '';
  }
};
function statement(text) {
  if (text.length <= 120) return text;
  const whole = document.createElement('details');
  const summary = document.createElement('summary');
  summary.textContent = text.slice(0, 120) + '…';
  whole.append(summary, text);
  return whole;
}
async function show() {
  const answer = await fetch('/druid/figures.json', { headers: { 'ZCBUS-TOKEN': token(), env: 'en' } });
  const found = await answer.json();
  if (!answer.ok || !found.pool) {
    pool.textContent = found.message || 'Sign in to the console first, as an administrator of the platform.';
    return;
  }
  pool.textContent = `${found.store}: ${found.pool.inUse} connections in use, ${found.pool.idle} idle, `
    + `pool of ${found.pool.size}`;
  body.replaceChildren(...found.statements.map((one) => {
    const row = document.createElement('tr');
    const figures = [one.executions, one.errors, one.total_seconds.toFixed(3),
      (1000 * one.total_seconds / one.executions).toFixed(2), (1000 * one.longest_seconds).toFixed(2)];
    for (const figure of figures) row.insertCell().textContent = figure;
    row.insertCell().append(statement(one.statement));
    return row;
  }));
}
show().catch((error) => { pool.textContent = error.message; });
"""
