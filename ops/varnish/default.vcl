vcl 4.1;

import std;
import xkey;  # of the package varnish-modules

backend service {
  .host = "127.0.0.1";
  .port = "3000";
  .probe = { .url = "/health/ready"; .interval = 2s; .timeout = 2s; .window = 3; .threshold = 2; }
}

# The nodes.
acl purgers {
  "localhost";
}

sub vcl_recv {
  # SHARED_CACHE_PURGE_URL=http://127.0.0.1:6081/purge
  if (req.method == "POST" && req.url == "/purge") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    set req.http.purged = xkey.purge(req.http.xkey);
    return (synth(200, req.http.purged + " purged"));
  }
  # Other cookies change no answer. Requests with a session or credentials pass.
  if (req.http.Cookie !~ "cal_session=") {
    unset req.http.Cookie;
  }
  # While the service is away, visitors get what was valid last, for as long as stale-if-error says.
  if (std.healthy(req.backend_hint)) {
    set req.grace = 10s;
  }
}

sub vcl_backend_response {
  if (beresp.http.Cache-Control ~ "s-maxage|immutable") {
    set beresp.grace = 10m;
  } else {
    # Varnish would keep answers that say nothing for two minutes.
    set beresp.uncacheable = true;
    set beresp.ttl = 2m;
  }
  if (beresp.status >= 500 && bereq.is_bgfetch) {
    return (abandon);
  }
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.Cache-Tag;
}
