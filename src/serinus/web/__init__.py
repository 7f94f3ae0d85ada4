"""The JSON API, the pages and the metrics."""
